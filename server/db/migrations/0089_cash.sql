-- What drivers have in their bags, and what they handed in. Lines and close-outs are only ever added: the rights to change them are taken away
-- at every start (db/migrate), as those of the audit log. So nothing refers to them by a foreign key, which would have to lock them.
create table cash_lines (
  organisation_id bigint not null,
  id bigint generated always as identity,
  -- Whose bag.
  user_id bigint not null,
  -- The day it counts for, in the organisation's time zone.
  day text collate "C" not null check (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  -- The day it happened on, if that was closed before it arrived.
  of_day text collate "C" check (of_day < day),
  kind text not null check (kind in ('payment', 'handIn', 'closeOut', 'correction')),
  method text not null,
  -- In hundredths, which are whole: sums are exact.
  hundredths bigint not null,
  -- Without foreign keys: a line outlives the task and its payments.
  payment_id bigint,
  task_id bigint,
  -- Who counted it, if it was counted.
  counted_by bigint,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (organisation_id, id),
  foreign key (organisation_id, user_id) references users (organisation_id, id),
  foreign key (organisation_id, counted_by) references users (organisation_id, id),
  check ((kind = 'payment') = (payment_id is not null)),
  check ((kind = 'payment') = (counted_by is null)),
  check (kind = 'closeOut' or hundredths <> 0)
);
-- Each payment is in one bag, once.
create unique index cash_lines_payment on cash_lines (organisation_id, payment_id) where payment_id is not null;
create index cash_lines_day on cash_lines (organisation_id, user_id, day);
create index cash_lines_of_day on cash_lines (organisation_id, day);

-- What people write beside a line, apart from it: it may name somebody, and can be erased.
create table cash_notes (
  organisation_id bigint not null,
  line_id bigint not null,
  note text not null,
  primary key (organisation_id, line_id)
);

-- A day of a driver that is closed, with its sums as they were then: of cash collected, and of cash handed in.
create table cash_close_outs (
  organisation_id bigint not null,
  user_id bigint not null,
  day text collate "C" not null,
  line_id bigint not null,
  cash_hundredths bigint not null,
  handed_in_hundredths bigint not null,
  closed_at timestamptz not null,
  primary key (organisation_id, user_id, day),
  foreign key (organisation_id, user_id) references users (organisation_id, id)
);

-- Up to which payment those without a line were looked for (server/tasks/cash/fill.ts).
create table cash_progress (
  organisation_id bigint not null references organisations (id),
  payment_id bigint not null default 0,
  primary key (organisation_id)
);

alter table cash_lines enable row level security;
alter table cash_lines force row level security;
create policy own_organisation on cash_lines
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
alter table cash_notes enable row level security;
alter table cash_notes force row level security;
create policy own_organisation on cash_notes
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
alter table cash_close_outs enable row level security;
alter table cash_close_outs force row level security;
create policy own_organisation on cash_close_outs
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
alter table cash_progress enable row level security;
alter table cash_progress force row level security;
create policy own_organisation on cash_progress
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
