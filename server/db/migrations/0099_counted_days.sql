-- The last day of which the days of drivers were counted. Whoever counts holds the row by `claimed_at`.
create table counted_days (
  organisation_id bigint primary key references organisations,
  claimed_at timestamptz not null,
  last_day text check (last_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$')
);

alter table counted_days enable row level security;
alter table counted_days force row level security;
create policy own_organisation on counted_days
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
