-- Links by which a sender sees the proofs of some tasks. Only the hash of what is in the link is kept.
create table proof_links (
  organisation_id bigint not null references organisations (id),
  id bigint generated always as identity,
  hash bytea not null unique,
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (organisation_id, id)
);

create table proof_link_tasks (
  organisation_id bigint not null,
  link_id bigint not null,
  task_id bigint not null,
  place integer not null,
  primary key (organisation_id, link_id, task_id),
  foreign key (organisation_id, link_id) references proof_links (organisation_id, id) on delete cascade,
  foreign key (organisation_id, task_id) references tasks (organisation_id, id) on delete cascade
);
create index proof_link_tasks_task on proof_link_tasks (organisation_id, task_id);

do $$
declare
  name text;
begin
  foreach name in array array['proof_links', 'proof_link_tasks'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own_organisation on %I using '
      '((select current_setting(''waybill.organisation'')::bigint) in (0, organisation_id))', name);
  end loop;
end
$$;
