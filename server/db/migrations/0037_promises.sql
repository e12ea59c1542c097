-- The arrivals that were told for a task, and when the driver really came. Few a task: one that moved by minutes, not
-- every one that was computed.
create table promises (
  organisation_id bigint not null,
  task_id bigint not null,
  promised_at timestamptz not null,
  eta_at timestamptz not null,
  -- Null until the driver comes, and for ever if nobody saw it.
  arrived_at timestamptz,
  primary key (organisation_id, task_id, promised_at),
  foreign key (organisation_id, task_id) references tasks (organisation_id, id)
);
-- For reports over some days, whatever was promised before.
create index promises_time on promises (organisation_id, promised_at);

alter table promises enable row level security;
alter table promises force row level security;
create policy own_organisation on promises
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
