-- What ended on a day is found by that day, however much has ended before.
create index tasks_ended on tasks (organisation_id, completed_at) where deleted_at is null and completed_at is not null;
