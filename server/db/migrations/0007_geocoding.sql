-- How well the coordinates are known that the service found by itself; null if somebody gave them, or there are none.
-- An address is looked up at `geocode_at`, if it still has no coordinates then; null if nobody will look any more.
alter table addresses
  add column precision text,
  add column geocode_at timestamptz,
  add column geocode_attempts integer not null default 0,
  add column geocode_problem text;
create index addresses_to_geocode on addresses (organisation_id, geocode_at)
  where geocode_at is not null and lat is null;

-- What geocoders answered, by a hash of the address: whoever reads this table learns of no address. Without coordinates
-- it says that there is no such place.
create table geocodings (
  organisation_id bigint not null references organisations,
  geocoder text not null,
  address_hash bytea not null,
  lat double precision,
  lng double precision,
  precision text,
  expires_at timestamptz not null,
  primary key (organisation_id, geocoder, address_hash)
);
create index geocodings_expiry on geocodings (expires_at);

-- When a geocoder may be asked next, by all processes together. Organisation 0 is the service itself, with its own key.
create table geocoder_turns (
  organisation_id bigint not null,
  geocoder text not null,
  next_at timestamptz not null,
  primary key (organisation_id, geocoder)
);

alter table geocodings enable row level security;
alter table geocodings force row level security;
create policy own_organisation on geocodings
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
alter table geocoder_turns enable row level security;
alter table geocoder_turns force row level security;
create policy own_organisation on geocoder_turns
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
