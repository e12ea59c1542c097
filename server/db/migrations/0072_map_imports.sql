-- What was made of extracts of OpenStreetMap, for all organisations. At most one is current; others are being made, or are going.
-- What belongs to one carries its id: partitions, files in the store, a folder of each process. An id is the time at which the import
-- began, in milliseconds, so that it never comes again, also where a database was restored.
create table map_imports (
  id bigint primary key,
  state text not null default 'making' check (state in ('making', 'current', 'leaving')),
  name text not null,
  source text not null,
  source_bytes bigint not null,
  -- When OpenStreetMap looked like this, if the extract says so.
  map_date timestamptz,
  began_at timestamptz not null default now(),
  finished_at timestamptz,
  west double precision,
  south double precision,
  east double precision,
  north double precision,
  -- What each maker has made of it.
  made jsonb not null default '{}',
  -- Its files: name, bytes, hash, and in how many parts the store has them.
  files jsonb not null default '[]'
);
create unique index map_imports_current on map_imports (state) where state = 'current';

alter table map_imports enable row level security;
alter table map_imports force row level security;
create policy service_only on map_imports
  using ((select current_setting('waybill.organisation')::bigint) = 0);
