-- Why automatic assignment leaves a task without a driver, as it last found. Written by its worker alone, and shown only as long as the
-- task waits: the row of a task that has a driver by now is of no interest, and goes with the next round.
create table left_tasks (
  organisation_id bigint not null,
  task_id bigint not null,
  reason text not null,
  primary key (organisation_id, task_id),
  foreign key (organisation_id, task_id) references tasks (organisation_id, id) on delete cascade
);

alter table left_tasks enable row level security;
alter table left_tasks force row level security;
create policy own_organisation on left_tasks
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
