-- What each device was given last of the arrivals on its route, so that the next sync gives only those that moved.
create table told_arrivals (
  organisation_id bigint not null,
  device_id bigint not null,
  -- Of the last answer that gave an arrival. The cursor of the device says up to which one it received.
  number bigint not null,
  -- By task: the arrival in milliseconds, and the number of the answer that gave it.
  arrivals jsonb not null,
  primary key (organisation_id, device_id),
  foreign key (organisation_id, device_id) references driver_tokens (organisation_id, id) on delete cascade
);
alter table told_arrivals enable row level security;
alter table told_arrivals force row level security;
create policy own_organisation on told_arrivals using
  ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
