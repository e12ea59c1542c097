-- The last time on duty: positions from before and after it are not kept. Null is unknown, as before this column.
alter table users
  add column duty_started_at timestamptz,
  add column duty_ended_at timestamptz;
