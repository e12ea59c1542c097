-- Pictures: photos and signatures of tasks, avatars, logos. The bytes are in the store (folder or S3), the facts here.
create table files (
  organisation_id bigint not null references organisations,
  -- Chosen by the phone, or by us.
  id uuid not null,
  -- Who sent it; nobody if it came with a key.
  user_id bigint,
  -- The task it belongs to. Avatars and logos have none.
  task_id bigint,
  -- Where its bytes are in the store. Null until they have arrived: a note may name a file that is still on its way.
  store_key text,
  -- Of the bytes that were sent, to know them again.
  sha256 bytea,
  type text,
  bytes integer,
  width integer,
  height integer,
  -- Null while something refers to it.
  unused_since timestamptz,
  created_at timestamptz not null default now(),
  primary key (organisation_id, id),
  foreign key (organisation_id, user_id) references users (organisation_id, id),
  foreign key (organisation_id, task_id) references tasks (organisation_id, id)
);
create index files_task on files (organisation_id, task_id) where task_id is not null;
create index files_unused on files (unused_since) where unused_since is not null;

alter table files enable row level security;
alter table files force row level security;
create policy own_organisation on files
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));

-- What is in the store, or may be, and belongs to no file: noted before it is written, and when its file is deleted.
create table leftovers (
  organisation_id bigint not null references organisations,
  store_key text not null,
  due_at timestamptz not null,
  primary key (organisation_id, store_key)
);
create index leftovers_due on leftovers (due_at);

alter table leftovers enable row level security;
alter table leftovers force row level security;
create policy own_organisation on leftovers
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
