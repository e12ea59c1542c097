-- When a plan last looked for a driver for a task that was left without one: whoever has waited longest for a try is next.
alter table left_tasks add column tried_at timestamptz;
