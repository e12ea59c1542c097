-- How fast the drivers of an organisation really are, compared with what the roads of the imported map say: a factor for each means of
-- transport and hour of the week (0 is Monday, midnight to one). Only aggregates over several drivers, made anew from their tracks.
create table learned_speeds (
  organisation_id bigint not null references organisations,
  transportation_id smallint not null,
  hour smallint not null,
  factor real not null,
  -- How many hours of drivers it stands on.
  count integer not null,
  primary key (organisation_id, transportation_id, hour)
);

-- When it was last learned, and what it stands on. Whoever learns holds the row by `claimed_at`; an erasure deletes it.
create table speed_lessons (
  organisation_id bigint primary key references organisations,
  claimed_at timestamptz not null,
  learned_at timestamptz,
  seen jsonb not null default '[]'
);

alter table learned_speeds enable row level security;
alter table learned_speeds force row level security;
create policy own_organisation on learned_speeds
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));

alter table speed_lessons enable row level security;
alter table speed_lessons force row level security;
create policy own_organisation on speed_lessons
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
