-- What a driver's device tells about itself when it syncs.
alter table driver_tokens
  add column name text,
  add column version text,
  -- Percent.
  add column battery smallint,
  -- How many ops it has not sent yet.
  add column pending integer,
  add column last_seen_at timestamptz;
