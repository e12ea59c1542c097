-- What drivers did on days that are over, by the organisation's clock: for reports, because tracks are dropped after a month, and a year
-- of stops and tracks is too much to look at again. Counted when the day is over, and once more a day later, for what came late.
create table driver_days (
  organisation_id bigint not null references organisations,
  driver_id bigint not null,
  day text not null check (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  -- Stops of which somebody knows when the driver came, and how long they took together.
  stops integer not null,
  stop_seconds integer not null,
  -- Null: no positions.
  driven_metres integer,
  primary key (organisation_id, driver_id, day),
  foreign key (organisation_id, driver_id) references users (organisation_id, id)
);

alter table driver_days enable row level security;
alter table driver_days force row level security;
create policy own_organisation on driver_days
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
