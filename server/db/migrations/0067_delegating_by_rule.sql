-- Up to which event an organisation was searched for new tasks that its rule gives to a partner.
create table delegation_progress (
  organisation_id bigint primary key references organisations (id),
  event_id bigint not null
);

alter table delegation_progress enable row level security;
alter table delegation_progress force row level security;
create policy own_organisation on delegation_progress
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
