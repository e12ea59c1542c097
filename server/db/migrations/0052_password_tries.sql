-- Wrong passwords of each address, by where they came from. Unlogged: worth little after a crash.
-- No organisation of its own: most addresses that are tried belong to nobody, and only the service itself reads it.
create unlogged table password_tries (
  account bytea not null,
  source bytea not null,
  is_stranger boolean not null,
  wrong integer not null,
  next_at timestamptz not null,
  forget_at timestamptz not null,
  primary key (account, source)
) with (fillfactor = 70);
create index password_tries_forget on password_tries (forget_at);

alter table password_tries enable row level security;
alter table password_tries force row level security;
create policy service_only on password_tries
  using ((select current_setting('waybill.organisation')::bigint) = 0);
