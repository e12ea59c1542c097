-- The file a note shows. `image` is its path once the bytes have arrived.
alter table notes add column file_id uuid;
