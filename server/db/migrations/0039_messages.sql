-- Messages to customers: those that wait, and what became of the others.
create table messages (
  organisation_id bigint not null,
  id bigint generated always as identity,
  -- Null for a test message.
  task_id bigint,
  cause text not null,
  -- Tells apart causes that can occur again: the number of the change. Others happen once to a task.
  occasion integer not null default 0,
  channel text not null,
  -- A phone number or an email address; empty if the customer has none.
  recipient text not null,
  language text not null,
  subject text not null,
  body text not null,
  state text not null,
  reason text,
  error text,
  attempts integer not null default 0,
  -- How many attempts there were when somebody last sent it again by hand; null if nobody did.
  attempts_before integer,
  claim uuid,
  due_at timestamptz not null,
  -- After this it is old news.
  expires_at timestamptz not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- What it says about the task, to see whether that still holds.
  facts jsonb not null default '{}',
  primary key (organisation_id, id),
  foreign key (organisation_id, task_id) references tasks (organisation_id, id)
);
-- At most one message for each cause.
create unique index messages_cause on messages (organisation_id, task_id, cause, occasion);
-- The queue, lane by lane.
create index messages_queue on messages (organisation_id, channel, due_at) where state in ('waiting', 'sending');
-- What a person has to look at, however many went well.
create index messages_trouble on messages (organisation_id, id) where state in ('failed', 'unknown');

alter table messages enable row level security;
alter table messages force row level security;
create policy own_organisation on messages
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
