-- Parcels that were scanned at a hub or into a vehicle, also those that belong to no task. For some weeks; the timeline of the
-- task keeps it longer.
create table scans (
  organisation_id bigint not null references organisations,
  id bigint generated always as identity,
  code text not null,
  at text not null,
  result text not null,
  -- Null: no task has this code.
  task_id bigint,
  -- For whom it was scanned; null at the hub.
  user_id bigint,
  -- For which day it was loaded.
  day text not null,
  actor_type text not null,
  actor_id bigint,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (organisation_id, id),
  foreign key (organisation_id, task_id) references tasks (organisation_id, id) on delete cascade
);
create index scans_task on scans (organisation_id, task_id) where task_id is not null;
create index scans_day on scans (organisation_id, day, id);
create index scans_age on scans (recorded_at);

alter table scans enable row level security;
alter table scans force row level security;
create policy own_organisation on scans
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
