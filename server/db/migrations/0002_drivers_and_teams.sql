alter table users
  add column is_dispatcher boolean not null default false,
  add column is_super_admin boolean not null default false,
  add column active boolean not null default true,
  add column has_dismissed_intro boolean not null default false,
  add column transportation_id smallint,
  add column shift_start text,
  add column shift_end text,
  add column lunch_start text,
  add column lunch_end text,
  add column lunch_minutes integer;
create index users_phone on users (phone) where is_driver and deleted_at is null;

create table hubs (
  organisation_id bigint not null references organisations,
  id bigint generated always as identity,
  name text not null,
  lat double precision not null,
  lng double precision not null,
  city text not null,
  state text not null,
  country text not null,
  street_number text not null,
  street_name text not null,
  postal_code text not null,
  apartment text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organisation_id, id)
);

create table teams (
  organisation_id bigint not null references organisations,
  id bigint generated always as identity,
  name text not null,
  hub_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organisation_id, id),
  foreign key (organisation_id, hub_id) references hubs (organisation_id, id)
);
create index teams_hub on teams (organisation_id, hub_id);

create table team_drivers (
  organisation_id bigint not null,
  team_id bigint not null,
  user_id bigint not null,
  primary key (organisation_id, team_id, user_id),
  foreign key (organisation_id, team_id) references teams (organisation_id, id) on delete cascade,
  foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
);
create index team_drivers_user on team_drivers (organisation_id, user_id);

alter table tasks
  add column team_id bigint,
  -- The order of a driver's open tasks; null without a driver.
  add column route_position integer,
  add column accepted_at timestamptz,
  -- The day a task belongs to, for lists of a day.
  add column planned_at timestamptz generated always as (coalesce(complete_after, complete_before, created_at)) stored,
  add foreign key (organisation_id, team_id) references teams (organisation_id, id) on delete set null (team_id);
create index tasks_driver on tasks (organisation_id, user_id, status_id) where deleted_at is null;
create index tasks_team on tasks (organisation_id, team_id) where team_id is not null;
create index tasks_open on tasks (organisation_id, status_id, id) where status_id < 9 and deleted_at is null;
create index tasks_planned on tasks (organisation_id, planned_at) where deleted_at is null;
create index tasks_updated on tasks (organisation_id, updated_at) where deleted_at is null;

create table dependencies (
  organisation_id bigint not null,
  task_id bigint not null,
  depends_on_id bigint not null,
  primary key (organisation_id, task_id, depends_on_id),
  foreign key (organisation_id, task_id) references tasks (organisation_id, id),
  foreign key (organisation_id, depends_on_id) references tasks (organisation_id, id),
  check (task_id <> depends_on_id)
);
create index dependencies_of on dependencies (organisation_id, depends_on_id);

create table notes (
  organisation_id bigint not null,
  id bigint generated always as identity,
  task_id bigint not null,
  user_id bigint not null,
  type smallint not null,
  note text,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organisation_id, id),
  foreign key (organisation_id, task_id) references tasks (organisation_id, id),
  foreign key (organisation_id, user_id) references users (organisation_id, id)
);
create index notes_task on notes (organisation_id, task_id);

-- A one-time code for a driver to sign in with. Only its hash is kept.
create table invitations (
  organisation_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  hash bytea not null,
  tries_left smallint not null,
  expires_at timestamptz not null,
  primary key (organisation_id, id),
  foreign key (organisation_id, user_id) references users (organisation_id, id)
);
create index invitations_user on invitations (organisation_id, user_id);

-- One per device a driver has signed in with.
create table driver_tokens (
  organisation_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  primary key (organisation_id, id),
  foreign key (organisation_id, user_id) references users (organisation_id, id)
);
create index driver_tokens_user on driver_tokens (organisation_id, user_id);

do $$
declare
  name text;
begin
  foreach name in array array[
    'hubs', 'teams', 'team_drivers', 'dependencies', 'notes', 'invitations', 'driver_tokens'
  ] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own_organisation on %I using '
      '((select current_setting(''waybill.organisation'')::bigint) in (0, organisation_id))', name);
  end loop;
end
$$;
