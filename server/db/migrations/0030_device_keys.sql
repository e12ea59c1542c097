-- The key in the address at which a tracking app reports the positions of a device. Devices from before have none.
alter table driver_tokens add column device_key_hash bytea;
create unique index driver_tokens_device_key on driver_tokens (device_key_hash);
