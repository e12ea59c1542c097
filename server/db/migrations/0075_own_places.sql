-- Places that the operator has given: OpenAddresses, or a file of their own. They are kept as they came, so that each file adds to
-- them without doubles; the register that is searched is made of all of them.
create table register_own_places (
  -- What makes it the same place when it comes again: country, city, street and number, as they are compared.
  key bytea primary key,
  street text,
  number text,
  city text,
  area text,
  postal_code text,
  country text,
  lat integer not null,
  lng integer not null
);

-- The register made of them that is used now.
create table register_own (
  is_only boolean primary key default true check (is_only),
  register_id bigint not null,
  places bigint not null,
  imported_at timestamptz not null default now()
);

do $$
declare
  name text;
begin
  foreach name in array array['own_places', 'own'] loop
    execute format('alter table register_%s enable row level security', name);
    execute format('alter table register_%s force row level security', name);
    execute format('create policy service_only on register_%s using ((select current_setting(''waybill.organisation'')::bigint) = 0)', name);
  end loop;
end $$;
