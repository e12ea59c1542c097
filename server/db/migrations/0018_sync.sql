-- What a driver's phone has sent, by the id the phone gave it: a repeat gets the first answer.
create table ops (
  organisation_id bigint not null,
  user_id bigint not null,
  op_id text not null,
  type text not null,
  task_id bigint,
  -- Of what was sent, to tell a repeat from another op with the same id.
  digest bytea not null,
  -- The result as it was answered, refusals too.
  answer jsonb not null,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (organisation_id, user_id, op_id),
  foreign key (organisation_id, user_id) references users (organisation_id, id)
);
create index ops_recorded on ops (recorded_at);

-- Work of a driver that could not be applied because somebody else had changed something: kept until the office decides.
create table conflicts (
  organisation_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  task_id bigint not null,
  op_id text,
  -- The whole op.
  op jsonb not null,
  -- Why it was not applied.
  code text not null,
  message text not null,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  settled_at timestamptz,
  applied boolean,
  note text,
  settled_by text,
  primary key (organisation_id, id),
  foreign key (organisation_id, user_id) references users (organisation_id, id),
  foreign key (organisation_id, task_id) references tasks (organisation_id, id)
);
create index conflicts_task on conflicts (organisation_id, task_id);

do $$
declare
  name text;
begin
  foreach name in array array['ops', 'conflicts'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own_organisation on %I using '
      '((select current_setting(''waybill.organisation'')::bigint) in (0, organisation_id))', name);
  end loop;
end
$$;

-- What an event says beside the task, as JSON: an op that was only noted, a conflict and its end.
alter table events add column remark text;

-- An op refused by a setting may have been fine when it was done.
alter table organisations add column settings_changed_at timestamptz;
