-- Where a driver's device can be woken by web push: what its browser's subscription says.
create table push_subscriptions (
  organisation_id bigint not null,
  device_id bigint not null,
  endpoint text not null,
  p256dh bytea not null,
  auth bytea not null,
  updated_at timestamptz not null default now(),
  primary key (organisation_id, device_id),
  foreign key (organisation_id, device_id) references driver_tokens (organisation_id, id) on delete cascade
);

alter table push_subscriptions enable row level security;
alter table push_subscriptions force row level security;
create policy own_organisation on push_subscriptions
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
