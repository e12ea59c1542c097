-- Tasks that repeat. `task` is the body they are created with, `repeats` when (core/recurrence). Days are those of the organisation's
-- time zone, YYYY-MM-DD.
create table schedules (
  organisation_id bigint not null references organisations (id),
  id bigint generated always as identity,
  name text not null,
  task jsonb not null,
  repeats jsonb not null,
  start_time text,
  end_time text,
  from_day text collate "C" not null check (from_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  until_day text collate "C" check (until_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  count integer,
  skips jsonb not null default '[]',
  skip_holidays boolean not null default false,
  days_ahead smallint not null,
  awb_prefix text,
  is_paused boolean not null default false,
  -- When its worker looks at it again; null if never.
  due_at timestamptz,
  -- Why a task could not be made: day, code, message, at.
  problem jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organisation_id, id)
);
create index schedules_due on schedules (due_at) where due_at is not null;

-- The tasks that were made: a day once, whatever becomes of its task.
create table schedule_days (
  organisation_id bigint not null,
  schedule_id bigint not null,
  day text collate "C" not null check (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  task_id bigint not null,
  made_at timestamptz not null default now(),
  primary key (organisation_id, schedule_id, day),
  foreign key (organisation_id, schedule_id) references schedules (organisation_id, id) on delete cascade
);

create table task_templates (
  organisation_id bigint not null references organisations (id),
  id bigint generated always as identity,
  name text not null,
  task jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organisation_id, id)
);

-- Days off of an organisation, beside the public holidays of its country, or working days among those.
create table holidays (
  organisation_id bigint not null references organisations (id),
  id bigint generated always as identity,
  day text collate "C" not null check (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  name text not null default '',
  is_working_day boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (organisation_id, id),
  constraint holidays_day unique (organisation_id, day)
);

alter table schedules enable row level security;
alter table schedules force row level security;
create policy own_organisation on schedules
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
alter table schedule_days enable row level security;
alter table schedule_days force row level security;
create policy own_organisation on schedule_days
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
alter table task_templates enable row level security;
alter table task_templates force row level security;
create policy own_organisation on task_templates
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
alter table holidays enable row level security;
alter table holidays force row level security;
create policy own_organisation on holidays
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
