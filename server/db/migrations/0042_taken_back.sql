-- The number of the event by which an op changed its task, to see later whether anything happened since. Null: it changed
-- nothing, or is from before this was kept.
alter table ops add column sequence integer;
