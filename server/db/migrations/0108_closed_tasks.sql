-- When somebody decided that a failed task stays as it is: it is none of those that wait for a decision.
alter table tasks add column closed_at timestamptz;
drop index tasks_failed;
create index tasks_failed on tasks (organisation_id, attempt)
  where status_id = 10 and deleted_at is null and reattempted_as is null and returned_as is null and closed_at is null;
