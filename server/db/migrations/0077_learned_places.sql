-- Where addresses really are, as a person corrected it or drivers completed there: the place by which the same address is
-- found the next time. By a hash of the address, so whoever reads this table learns of no address. Null while drivers do not agree.
create table learned_places (
  organisation_id bigint not null references organisations,
  address_hash bytea not null,
  lat double precision,
  lng double precision,
  is_by_person boolean not null,
  -- Where drivers were, the last few.
  seen jsonb not null,
  -- The last task it was learned from, or used for: it is erased with it.
  task_id bigint not null,
  updated_at timestamptz not null,
  primary key (organisation_id, address_hash)
);
create index learned_places_task on learned_places (organisation_id, task_id);
create index learned_places_age on learned_places (organisation_id, updated_at);

alter table learned_places enable row level security;
alter table learned_places force row level security;
create policy own_organisation on learned_places
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
