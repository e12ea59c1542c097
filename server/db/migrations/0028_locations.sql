-- Where drivers were, a partition a day, so that old days are dropped and not deleted row by row. The key makes a
-- batch that is sent again harmless. No foreign key: it would cost as much as the insert, and the only writer reads
-- the driver first.
create table locations (
  organisation_id bigint not null,
  driver_id bigint not null,
  occurred_at timestamptz not null,
  lat double precision not null,
  lng double precision not null,
  accuracy_metres real,
  speed_metres_per_second real,
  heading real,
  battery smallint,
  primary key (organisation_id, driver_id, occurred_at)
) partition by range (occurred_at);
-- For days without a partition of their own, as before the first start.
create table locations_default partition of locations default;

alter table locations enable row level security;
alter table locations force row level security;
create policy own_organisation on locations
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
