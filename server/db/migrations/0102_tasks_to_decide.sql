-- Failed tasks that nothing follows, by how often they were tried: those whose last try failed are found however many tasks there ever
-- were. And next tries and returns that were deleted, because the task before each is to be decided about again.
create index tasks_failed on tasks (organisation_id, attempt)
  where status_id = 10 and deleted_at is null and reattempted_as is null and returned_as is null;
create index tasks_deleted_tries on tasks (organisation_id)
  where deleted_at is not null and coalesce(attempt_of, return_of) is not null;
