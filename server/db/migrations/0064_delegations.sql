-- A task that one organisation gave to another has a row on both sides, each behind its own wall: the owner's names the fulfiller's and
-- the other way round. Null: nobody else has a part in it. The name of who drives it is all the owner knows of the driver; the AWBs that
-- others know it by are for the scanner.
alter table tasks
  add column owner_id bigint,
  add column owner_task_id bigint,
  add column fulfiller_id bigint,
  add column fulfiller_task_id bigint,
  add column fulfiller_driver text,
  add column chain_awbs jsonb;
