-- Tasks whose last try failed and whose parcels are to be brought back by themselves. Written in the transaction of the failure, and
-- gone once the return is made, or once the task says why there is none.
create table due_returns (
  organisation_id bigint not null,
  task_id bigint not null,
  primary key (organisation_id, task_id),
  foreign key (organisation_id, task_id) references tasks (organisation_id, id) on delete cascade
);

alter table due_returns enable row level security;
alter table due_returns force row level security;
create policy own_organisation on due_returns
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
