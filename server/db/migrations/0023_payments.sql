-- What was paid for a task, line by line. Lines are added, never edited: a negative one corrects.
create table payments (
  organisation_id bigint not null,
  id bigint generated always as identity,
  task_id bigint not null,
  -- Who took the money, or entered the line.
  user_id bigint not null,
  amount integer not null check (amount <> 0),
  method text not null,
  note text,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (organisation_id, id),
  foreign key (organisation_id, task_id) references tasks (organisation_id, id),
  foreign key (organisation_id, user_id) references users (organisation_id, id)
);
create index payments_task on payments (organisation_id, task_id);

alter table payments enable row level security;
alter table payments force row level security;
create policy own_organisation on payments
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
