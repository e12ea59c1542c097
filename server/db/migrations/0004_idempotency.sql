-- What was answered to a request that came with an Idempotency-Key, for a day: written with the effect it tells of.
create table kept_answers (
  organisation_id bigint not null references organisations,
  -- Whose key it is: API for all keys of the organisation, otherwise the kind of person and their id.
  caller text not null,
  key text not null,
  -- SHA-256 of method, address and body.
  fingerprint bytea not null,
  answer text not null,
  created_at timestamptz not null default now(),
  primary key (organisation_id, caller, key)
);
create index kept_answers_age on kept_answers (created_at);

alter table kept_answers enable row level security;
alter table kept_answers force row level security;
create policy own_organisation on kept_answers
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
