-- Live events and replays wait in lanes of their own, so that replaying a year does not hold up today.
alter table deliveries add column lane smallint not null default 0;
drop index deliveries_due;
create index deliveries_lane on deliveries (organisation_id, receiver_id, lane, due_at);
create index deliveries_claimed on deliveries (organisation_id, receiver_id, lane) where claim is not null;
create index deliveries_claim on deliveries (claim) where claim is not null;

-- What was given up, for whoever wants to try again.
create table dead_deliveries (
  organisation_id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  attempts integer not null,
  reason text not null,
  died_at timestamptz not null,
  primary key (organisation_id, webhook_id, event_id),
  foreign key (organisation_id, webhook_id) references webhooks (organisation_id, id) on delete cascade,
  foreign key (organisation_id, event_id) references events (organisation_id, id)
);

-- Every attempt that was made. A partition a day, so that old days are dropped and not deleted row by row.
alter table attempts rename to attempts_before;
create table attempts (
  organisation_id bigint not null references organisations,
  webhook_id bigint not null,
  event_id bigint not null,
  number integer not null,
  outcome text not null,
  status integer,
  duration_ms integer not null,
  error text,
  answer text,
  attempted_at timestamptz not null
) partition by range (attempted_at);
create index attempts_delivery on attempts (organisation_id, webhook_id, event_id);
-- A net: normally each day has its own.
create table attempts_default partition of attempts default;
insert into attempts (organisation_id, webhook_id, event_id, number, outcome, status, duration_ms, error, attempted_at)
select organisation_id, webhook_id, event_id, number, outcome, status, duration_ms, error, attempted_at
from attempts_before;
drop table attempts_before;

alter table webhooks
  add column consecutive_failures integer not null default 0,
  add column failing_since timestamptz,
  add column disabled_reason text;

-- While a secret is being rotated, messages are signed with both.
alter table receivers
  add column previous_secret text,
  add column previous_secret_until timestamptz;

alter table dead_deliveries enable row level security;
alter table dead_deliveries force row level security;
create policy own_organisation on dead_deliveries
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
alter table attempts enable row level security;
alter table attempts force row level security;
create policy own_organisation on attempts
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
