-- A customer's own address is looked up like that of a task (0007): at `geocode_at`, if it still has no coordinates then; null
-- if nobody will look any more. New customers wait from the start. Those that are there already wait from their next task on.
alter table customers
  add column geocode_at timestamptz,
  add column geocode_attempts integer not null default 0,
  add column geocode_problem text;
alter table customers alter column geocode_at set default now();
create index customers_to_geocode on customers (organisation_id, geocode_at)
  where geocode_at is not null and lat is null and btrim(address) <> '';
