-- Lists cost the same however much there is: each has an index in its own order (docs/performance.md).

-- A driver's tasks in the order of their ids, and in the order of the route with what is done at the end.
create index tasks_of_driver on tasks (organisation_id, user_id, id) where deleted_at is null and user_id is not null;
create index tasks_route on tasks (organisation_id, user_id, (status_id >= 9), route_position, id)
  where deleted_at is null and user_id is not null;
update tasks set route_position = 0 where user_id is not null and route_position is null;
-- So that a list can go on from a position without asking whether there is one.
alter table tasks add constraint tasks_have_positions check (user_id is null or route_position is not null) not valid;
-- What a driver has to do is little, whatever they have done before.
drop index tasks_driver;
create index tasks_driver on tasks (organisation_id, user_id, status_id)
  where status_id < 9 and deleted_at is null and user_id is not null;

-- Every state in the order of the ids, not only those of open tasks.
create index tasks_status on tasks (organisation_id, status_id, id) where deleted_at is null;
drop index tasks_open;

drop index tasks_team;
create index tasks_team on tasks (organisation_id, team_id, id) where team_id is not null;

-- What is dropped by age is found by its age.
create index tasks_deleted on tasks (organisation_id, deleted_at) where deleted_at is not null;
create index dead_deliveries_event on dead_deliveries (organisation_id, event_id);
