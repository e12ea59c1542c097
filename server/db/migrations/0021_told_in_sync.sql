-- The device that is told of an event in the answer to its own sync, and so need not be called for it.
alter table events add column synced_by bigint;
