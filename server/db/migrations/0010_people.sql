-- How a person signs in: an admin or a dispatcher, never a driver. Without a password until they have chosen one.
create table logins (
  organisation_id bigint not null,
  user_id bigint not null,
  email text not null,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organisation_id, user_id),
  foreign key (organisation_id, user_id) references users (organisation_id, id)
);
-- Of the whole installation: whoever signs in names no organisation.
create unique index logins_email on logins (lower(email));

-- A link by which a person chooses a password. One at a time, good once; only its hash is kept.
create table sign_in_links (
  organisation_id bigint not null,
  user_id bigint not null,
  hash bytea not null unique,
  expires_at timestamptz not null,
  primary key (organisation_id, user_id),
  foreign key (organisation_id, user_id) references users (organisation_id, id)
);

-- One per browser a person has signed in with.
create table sessions (
  organisation_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (organisation_id, id),
  foreign key (organisation_id, user_id) references users (organisation_id, id)
);
create index sessions_user on sessions (organisation_id, user_id);

do $$
declare
  name text;
begin
  foreach name in array array['logins', 'sign_in_links', 'sessions'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own_organisation on %I using '
      '((select current_setting(''waybill.organisation'')::bigint) in (0, organisation_id))', name);
  end loop;
end
$$;

-- Testing, replaying and enabling have a scope of their own now; keys that may do so keep it.
update keys set scopes = array_append(scopes, 'webhooks:send') where 'webhooks:write' = any (scopes);
