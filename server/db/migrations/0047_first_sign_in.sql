-- When a driver first signed in, on any device: nothing they did can have been before. Null is unknown, as before this column.
alter table users add column first_signed_in_at timestamptz;
