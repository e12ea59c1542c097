-- The shifts of a driver by day of the week; empty: the same one every day.
alter table users add column shift_times jsonb not null default '[]';
