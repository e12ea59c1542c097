-- Every table of an organisation's data starts its keys with organisation_id and refers to others by
-- (organisation_id, id): a link across organisations cannot be stored.

create table organisations (
  id bigint generated always as identity primary key,
  name text not null,
  logo text not null default '',
  email text not null default '',
  phone text,
  country text not null,
  timezone text not null,
  currency text not null,
  settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table users (
  organisation_id bigint not null references organisations,
  id bigint generated always as identity,
  name text not null,
  email text,
  phone text not null default '',
  avatar text,
  is_driver boolean not null default false,
  is_admin boolean not null default false,
  in_shift boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (organisation_id, id)
);

create table keys (
  organisation_id bigint not null references organisations,
  id bigint generated always as identity,
  name text not null,
  hash bytea not null unique,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (organisation_id, id)
);

create table customers (
  organisation_id bigint not null references organisations,
  id bigint generated always as identity,
  name text not null,
  phone text not null,
  email text,
  address text,
  address_second_line text,
  lat double precision,
  lng double precision,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organisation_id, id),
  unique (organisation_id, phone, name)
);

create table tasks (
  organisation_id bigint not null references organisations,
  id bigint generated always as identity,
  awb text not null,
  uuid text not null unique,
  status_id smallint not null,
  user_id bigint,
  customer_id bigint,
  details text not null,
  customer_notes text,
  total_price integer,
  left_to_be_paid integer,
  delivery_price integer,
  collect_payment boolean not null,
  payment_type_id smallint not null,
  quantity integer,
  priority integer not null,
  service_minutes integer,
  complete_after timestamptz,
  complete_before timestamptz,
  pickup_task boolean not null,
  inventory jsonb,
  custom_fields jsonb not null,
  send_notifications boolean not null,
  mobile_task_form text,
  cancel_reason text,
  route jsonb,
  eta_seconds integer not null default 0,
  eta_text text,
  sent_eta boolean not null default false,
  driver_arrived boolean not null default false,
  will_be_delayed boolean not null default false,
  delayed boolean not null default false,
  started_at timestamptz,
  arrived_at timestamptz,
  completed_at timestamptz,
  -- The number of the task's newest event; given out under the lock of this row, so a task's events have no gaps.
  last_sequence integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (organisation_id, id),
  foreign key (organisation_id, user_id) references users (organisation_id, id),
  foreign key (organisation_id, customer_id) references customers (organisation_id, id)
);
create unique index tasks_awb on tasks (organisation_id, awb) where deleted_at is null;

create table addresses (
  organisation_id bigint not null,
  task_id bigint not null,
  id bigint generated always as identity,
  address text not null,
  address_second_line text,
  city text,
  area text,
  country text not null,
  street_number text,
  street_name text,
  postal_code text,
  lat double precision,
  lng double precision,
  primary key (organisation_id, task_id),
  foreign key (organisation_id, task_id) references tasks (organisation_id, id)
);

-- One row per organisation, locked by the last statement of every change: events are numbered in the order in which
-- they become visible, so a reader who has seen number n has missed nothing before it.
create table event_counters (
  organisation_id bigint primary key references organisations,
  last_event_id bigint not null default 0
) with (fillfactor = 10);

create table events (
  organisation_id bigint not null,
  id bigint not null,
  task_id bigint not null,
  sequence integer not null,
  trigger_id smallint not null,
  -- The task as it was right after the change, as the text that is sent. The events of one change share it: it stands
  -- with the first of them, whose number the others name.
  snapshot_id bigint not null,
  task text,
  awb text not null,
  user_id bigint,
  driver text,
  previous text,
  from_status_id smallint,
  to_status_id smallint,
  actor_type text not null,
  actor_id bigint,
  actor_name text not null,
  lat double precision,
  lng double precision,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (organisation_id, id),
  unique (organisation_id, task_id, sequence),
  foreign key (organisation_id, task_id) references tasks (organisation_id, id),
  check ((task is not null) = (snapshot_id = id))
);

-- A url that an organisation's webhooks share. It has one secret and one order of arrival per task.
create table receivers (
  organisation_id bigint not null references organisations,
  id bigint generated always as identity,
  url text not null,
  secret text not null,
  created_at timestamptz not null default now(),
  primary key (organisation_id, id)
);
-- By its digest: a url may be longer than an entry of an index.
create unique index receivers_url on receivers (organisation_id, md5(url));

create table webhooks (
  organisation_id bigint not null,
  id bigint generated always as identity,
  receiver_id bigint not null,
  trigger_id smallint not null,
  verification text not null,
  is_enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organisation_id, id),
  foreign key (organisation_id, receiver_id) references receivers (organisation_id, id)
);
create index webhooks_trigger on webhooks (organisation_id, trigger_id);

-- What is still to be sent, and nothing else: a delivery leaves this table when it is delivered or given up.
create table deliveries (
  organisation_id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  receiver_id bigint not null,
  task_id bigint not null,
  sequence integer not null,
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  claim uuid,
  primary key (organisation_id, webhook_id, event_id),
  foreign key (organisation_id, webhook_id) references webhooks (organisation_id, id) on delete cascade,
  foreign key (organisation_id, event_id) references events (organisation_id, id),
  foreign key (organisation_id, receiver_id) references receivers (organisation_id, id)
);
create index deliveries_due on deliveries (due_at);
create index deliveries_order on deliveries (organisation_id, receiver_id, task_id, sequence, webhook_id);

create table attempts (
  organisation_id bigint not null references organisations,
  webhook_id bigint not null,
  event_id bigint not null,
  number integer not null,
  outcome text not null,
  status integer,
  duration_ms integer not null,
  error text,
  attempted_at timestamptz not null,
  primary key (organisation_id, webhook_id, event_id, number)
);

-- The second wall: whatever a query forgets, a connection sees the rows of the organisation it works for.
-- 0 is the service itself: signing in, sending webhooks.
do $$
declare
  name text;
begin
  for name in
    select c.relname from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation_id'
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own_organisation on %I using ('
      '(select current_setting(''waybill.organisation'')::bigint) in (0, organisation_id))', name);
  end loop;
end
$$;
alter table organisations enable row level security;
alter table organisations force row level security;
create policy own_organisation on organisations
  using ((select current_setting('waybill.organisation')::bigint) in (0, id));
