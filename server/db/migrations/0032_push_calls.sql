-- The keys by which push services know this server (VAPID): one pair for all processes and organisations.
create table push_keys (
  is_only boolean primary key default true check (is_only),
  public_key text not null,
  private_key text not null
);

alter table push_keys enable row level security;
alter table push_keys force row level security;
create policy service_only on push_keys
  using ((select current_setting('waybill.organisation')::bigint) = 0);

-- Up to which event an organisation was searched for news for sleeping phones.
create table push_progress (
  organisation_id bigint primary key references organisations (id),
  event_id bigint not null
);

alter table push_progress enable row level security;
alter table push_progress force row level security;
create policy own_organisation on push_progress
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));

alter table push_subscriptions
  -- The last event that concerns the device, and the last it was told of: by the answer to a sync, or by a call.
  add column news_event_id bigint not null default 0,
  add column told_event_id bigint not null default 0,
  -- When to call it; while a process does so, when its claim expires.
  add column due_at timestamptz,
  add column attempts smallint not null default 0,
  add column called_at timestamptz;

create index push_subscriptions_due on push_subscriptions (organisation_id, due_at) where due_at is not null;

insert into push_progress (organisation_id, event_id)
select c.organisation_id, c.last_event_id from event_counters c
where exists (select from push_subscriptions p where p.organisation_id = c.organisation_id);
