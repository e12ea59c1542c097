alter table keys
  -- The key a rotation made in its place.
  add column replaced_by bigint,
  add foreign key (organisation_id, replaced_by) references keys (organisation_id, id);
