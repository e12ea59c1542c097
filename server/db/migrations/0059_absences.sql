-- Days on which a driver does not work, both included, as YYYY-MM-DD in the organisation's time zone.
create table absences (
  organisation_id bigint not null references organisations (id),
  id bigint generated always as identity,
  driver_id bigint not null,
  from_day text collate "C" not null check (from_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  to_day text collate "C" not null check (to_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  reason text not null default '',
  created_at timestamptz not null default now(),
  primary key (organisation_id, id),
  foreign key (organisation_id, driver_id) references users (organisation_id, id),
  check (from_day <= to_day)
);
create index absences_driver on absences (organisation_id, driver_id, to_day);
create index absences_day on absences (organisation_id, to_day);

alter table absences enable row level security;
alter table absences force row level security;
create policy own_organisation on absences
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
