-- Whether a driver of a partner wrote a note of a shared task: its author here is the partner.
alter table notes add column by_partners_driver boolean not null default false;
