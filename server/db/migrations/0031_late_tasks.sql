-- Tasks that are late already are marked without an event: it did not happen now.
update tasks set delayed = true
where status_id < 9 and deleted_at is null and complete_before < now() and not delayed;

-- What becomes late next.
create index tasks_due on tasks (complete_before)
  where status_id < 9 and deleted_at is null and not delayed and complete_before is not null;
