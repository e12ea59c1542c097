-- The devices and networks a person has signed in from: strangers who guess the password do not slow them down there.
-- Only hashes are kept.
create table known_callers (
  organisation_id bigint not null,
  user_id bigint not null,
  hash bytea not null,
  is_device boolean not null,
  last_at timestamptz not null default now(),
  primary key (organisation_id, user_id, hash),
  foreign key (organisation_id, user_id) references users (organisation_id, id)
);

alter table known_callers enable row level security;
alter table known_callers force row level security;
create policy own_organisation on known_callers
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
