-- Who did what: written with what it tells, and never changed. The rights to change it are taken away at every start
-- (db/migrate), because a restore needs them. A partition a month, so that old ones are dropped as a whole. To the
-- millisecond, like every time we show, so that a page can begin at one. No foreign keys: a line outlives what it is about.
create table audit_log (
  organisation_id bigint not null,
  at timestamptz not null default date_trunc('milliseconds', now()),
  id bigint generated always as identity,
  kind text not null,
  actor_type text not null,
  actor_id bigint,
  address text,
  agent text,
  subject_type text not null,
  subject_id bigint,
  changes jsonb not null,
  count integer not null,
  primary key (organisation_id, at, id)
) partition by range (at);
-- For months without a partition of their own, as before the first start.
create table audit_log_default partition of audit_log default;

alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy own_organisation on audit_log
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
