-- Why tasks fail, as an organisation names it. A deleted one stays, for phones that used it before they heard of that.
create table reasons (
  organisation_id bigint not null references organisations,
  id bigint generated always as identity,
  code text not null,
  label text not null,
  -- The label in other languages.
  labels jsonb not null,
  photo_required boolean not null,
  note_required boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (organisation_id, id)
);
create unique index reasons_code on reasons (organisation_id, code) where deleted_at is null;

alter table reasons enable row level security;
alter table reasons force row level security;
create policy own_organisation on reasons
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
