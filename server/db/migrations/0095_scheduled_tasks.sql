-- Which schedule made a task, and whether somebody has changed that one by hand since: then it no longer follows its schedule. No
-- foreign key: a schedule that is deleted leaves the number, so that what it made can still be told from the rest.
alter table tasks
  add column schedule_id bigint,
  add column schedule_changed boolean not null default false;
