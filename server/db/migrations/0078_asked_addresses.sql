-- Hashes of the address as it was looked up, if parts of it were filled in with what was found: by these it is known the next
-- time it comes, without those parts.
alter table addresses add column asked_as text;
