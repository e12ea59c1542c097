-- What drivers fill in. A task names its form, or gets the default one; it may outlive the form it names.
create table forms (
  organisation_id bigint not null references organisations,
  id bigint generated always as identity,
  name text not null,
  fields jsonb not null,
  is_default boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organisation_id, id)
);
create unique index forms_default on forms (organisation_id) where is_default;

alter table forms enable row level security;
alter table forms force row level security;
create policy own_organisation on forms
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));

alter table tasks
  add column form_id bigint,
  -- What the customer said after the end, once: {rating, comment, at}.
  add column feedback jsonb;
