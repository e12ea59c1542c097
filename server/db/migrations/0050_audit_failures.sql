-- How often somebody failed to sign in within an hour. Only the first few have a line of their own, the others one
-- together when the hour is over: a stranger who guesses cannot fill the disk.
create table audit_failures (
  organisation_id bigint not null,
  kind text not null,
  subject_type text not null,
  subject_id bigint not null,
  hour timestamptz not null,
  count integer not null,
  primary key (organisation_id, kind, subject_id, hour)
);

alter table audit_failures enable row level security;
alter table audit_failures force row level security;
create policy own_organisation on audit_failures
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
