-- What a partner tells of somebody is kept for the shared task alone: without a phone, which together with the name is shared by
-- tasks, and with the number in `typed_phone`, by which such records are found, too.
create index customers_typed_phone on customers (organisation_id, typed_phone) where typed_phone > '';

-- Whether a driver of a partner wrote a note of a shared task: its author here is the partner.
alter table notes add column by_partners_driver boolean not null default false;
