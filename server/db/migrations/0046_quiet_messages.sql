-- Until when a message waits because of quiet hours: if they change, it need not wait that long.
alter table messages add column quiet_until timestamptz;
