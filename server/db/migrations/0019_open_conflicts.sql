-- What is still to be decided is looked at all day, and is few; what was decided only grows.
create index conflicts_open on conflicts (organisation_id, id) where settled_at is null;
