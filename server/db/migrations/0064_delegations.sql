-- A task that one organisation gave to another has a row on both sides, each behind its own wall: the owner's names the fulfiller's and
-- the other way round. Null: nobody else has a part in it. The name of who drives it, and the phone if the fulfiller shows it, is all the
-- owner knows of the driver; the AWBs that others know it by are for the scanner.
alter table tasks
  add column owner_id bigint,
  add column owner_task_id bigint,
  add column fulfiller_id bigint,
  add column fulfiller_task_id bigint,
  add column fulfiller_driver text,
  add column fulfiller_phone text,
  add column chain_awbs jsonb;

create index tasks_of_partners on tasks (organisation_id, owner_id) where owner_id is not null and erased_at is null;

-- A picture on both sides is stored once: what is deleted on one side is looked for on the other.
create index files_store_key on files (store_key) where store_key is not null;

-- Tasks whose data the fulfiller may not keep: their owner took them back or erased them, or is no partner any more. They are erased once
-- they have ended; in the last case a day later, as pictures may still be on their way. A list of its own, because whoever puts something
-- on it has not locked the task.
create table leaving_tasks (
  organisation_id bigint not null references organisations (id),
  task_id bigint not null,
  at_once boolean not null,
  primary key (organisation_id, task_id)
);

alter table leaving_tasks enable row level security;
alter table leaving_tasks force row level security;
create policy own_organisation on leaving_tasks
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
