-- When the driver is expected, as computed last (null: by the plan in `route`), and where the task was ended.
alter table tasks
  add column eta_at timestamptz,
  add column last_lat double precision,
  add column last_lng double precision;
