-- What all processes together took of each limit. Unlogged: written often, and worth nothing after a crash.
-- No organisation of its own: some names are addresses of strangers, and only the service itself reads it.
create unlogged table rate_buckets (
  name text primary key,
  tokens double precision not null,
  filled_at timestamptz not null
) with (fillfactor = 50);

alter table rate_buckets enable row level security;
alter table rate_buckets force row level security;
create policy service_only on rate_buckets
  using ((select current_setting('waybill.organisation')::bigint) = 0);
