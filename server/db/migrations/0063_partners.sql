-- What two organisations have said to each other. Each has a row of its own: when it agreed and, copied there in the same transaction,
-- when the other did and what the other is called. They are partners while both have agreed. `partner_id` refers to nothing: an unknown
-- company looks like one that has not agreed. `user_id` is the author of what they add to shared tasks: nobody signs in as that.
create table partners (
  organisation_id bigint not null references organisations (id),
  partner_id bigint not null,
  agreed_at timestamptz,
  they_agreed_at timestamptz,
  company jsonb,
  user_id bigint,
  primary key (organisation_id, partner_id),
  check (organisation_id <> partner_id)
);

alter table partners enable row level security;
alter table partners force row level security;
create policy own_organisation on partners
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
