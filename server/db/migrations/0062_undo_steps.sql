-- What callers may still undo: the plans of tasks before and after one change, for an hour. Unlogged: worth little after a crash.
create unlogged table undo_steps (
  organisation_id bigint not null,
  id bigint generated always as identity,
  undo_id uuid not null,
  tasks jsonb not null,
  created_at timestamptz not null default now(),
  primary key (organisation_id, id)
);
create index undo_steps_undo on undo_steps (organisation_id, undo_id);
create index undo_steps_created on undo_steps (created_at);

alter table undo_steps enable row level security;
alter table undo_steps force row level security;
create policy own_organisation on undo_steps
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
