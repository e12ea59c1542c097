-- When the arrivals of a driver on duty were computed last. Whoever moves this computes them next, so two processes do
-- it once. Overwritten all day, like driver_positions. No foreign key: the only writer reads the driver first.
create table followed_drivers (
  organisation_id bigint not null,
  driver_id bigint not null,
  followed_at timestamptz not null,
  primary key (organisation_id, driver_id)
) with (fillfactor = 50);

alter table followed_drivers enable row level security;
alter table followed_drivers force row level security;
create policy own_organisation on followed_drivers
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
