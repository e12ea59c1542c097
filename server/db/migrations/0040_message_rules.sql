-- The texts an organisation has written itself, and the addresses that want no messages from it.
create table message_texts (
  organisation_id bigint not null references organisations,
  cause text not null,
  language text not null,
  -- Null for the one that comes with Waybill.
  subject text,
  body text not null,
  updated_at timestamptz not null default now(),
  primary key (organisation_id, cause, language)
);

create table message_opt_outs (
  organisation_id bigint not null references organisations,
  -- A phone number (E.164) or an email address in lower case.
  address text not null,
  opted_out_at timestamptz not null default now(),
  primary key (organisation_id, address)
);

-- How many messages were sent on each day, in the zone of the organisation.
create table message_days (
  organisation_id bigint not null references organisations,
  day text not null,
  sent integer not null,
  primary key (organisation_id, day)
);

alter table message_texts enable row level security;
alter table message_texts force row level security;
create policy own_organisation on message_texts
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
alter table message_opt_outs enable row level security;
alter table message_opt_outs force row level security;
create policy own_organisation on message_opt_outs
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
alter table message_days enable row level security;
alter table message_days force row level security;
create policy own_organisation on message_days
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
