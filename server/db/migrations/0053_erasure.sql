-- When the personal data of a task, or of a driver, was erased.
alter table tasks add column erased_at timestamptz;
alter table users add column erased_at timestamptz;

-- The next to be erased by time; the tasks of a customer; a customer by email address; what a geocoder said; refused ops, whose answers may
-- quote what was sent.
create index tasks_to_erase on tasks (organisation_id, coalesce(completed_at, deleted_at))
  where erased_at is null and coalesce(completed_at, deleted_at) is not null;
create index tasks_customer on tasks (organisation_id, customer_id) where customer_id is not null;
create index customers_email on customers (organisation_id, lower(email)) where email is not null;
create index geocodings_address on geocodings (organisation_id, address_hash);
create index ops_refused on ops (organisation_id, task_id) where answer ? 'error' and task_id is not null;
-- Whose task it was before it was changed.
create index events_former_phone on events (organisation_id, (previous::jsonb #>> '{customer,phone}'))
  where previous like '%"customer":{%';
create index events_former_email on events (organisation_id, lower(previous::jsonb #>> '{customer,email}'))
  where previous like '%"customer":{%';
create index messages_recipient on messages (organisation_id, recipient);

-- A receipt for each erasure: what, when, by whom or by which rule. Nothing in it is personal, and it is kept.
-- `waiting` are tasks still to be erased: what a crash interrupts goes on. `filed_at`: it is also in the file of receipts.
-- `is_repeated`: a backup that was restored did not know of it.
create table erasures (
  organisation_id bigint not null references organisations (id),
  id bigint generated always as identity,
  receipt uuid not null default gen_random_uuid() unique,
  reason text not null,
  actor_type text not null,
  actor_id bigint,
  hours integer,
  driver_id bigint,
  task_ids jsonb not null default '[]',
  waiting jsonb not null default '[]',
  counts jsonb not null default '{}',
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  is_repeated boolean not null default false,
  filed_at timestamptz,
  primary key (organisation_id, id)
);
create index erasures_unfinished on erasures (organisation_id, id) where finished_at is null;
create index erasures_unfiled on erasures (id) where filed_at is null and finished_at is not null;

alter table erasures enable row level security;
alter table erasures force row level security;
create policy own_organisation on erasures
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));

-- Who wants no messages is remembered without their address: it must outlive the erasure of everything else about them.
update message_opt_outs
set address = encode(sha256(convert_to(organisation_id || ' ' || address, 'UTF8')), 'hex');
