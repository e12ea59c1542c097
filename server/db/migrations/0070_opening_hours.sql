-- The hours of an organisation, by day of the week: the shift of drivers who have none of their own.
alter table organisations add column shift_times jsonb not null default '[]';
