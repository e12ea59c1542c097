-- When the other side saw a note: the driver one of the office, the office one of a driver. Old ones count as seen.
alter table notes add column seen_at timestamptz default now();
alter table notes alter column seen_at drop default;

-- What drivers wrote and nobody has read.
create index notes_unseen on notes (organisation_id, created_at) where seen_at is null and type = 1;
