-- Whose texts the customer of a shared task gets: what the first owner chose when it was given away, on every row of the task. Null:
-- nobody else has a part in it.
alter table tasks add column messages_by text;
