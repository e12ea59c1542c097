-- Where a driver was seen last, one row each. It is overwritten all day, and half of a page is left free for that:
-- no index has to change, and what was before is cleaned up by whoever comes by.
create table driver_positions (
  organisation_id bigint not null,
  driver_id bigint not null,
  lat double precision not null,
  lng double precision not null,
  heading double precision,
  speed_metres_per_second double precision,
  accuracy_metres double precision,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (organisation_id, driver_id),
  foreign key (organisation_id, driver_id) references users (organisation_id, id)
) with (fillfactor = 50);

alter table driver_positions enable row level security;
alter table driver_positions force row level security;
create policy own_organisation on driver_positions
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
