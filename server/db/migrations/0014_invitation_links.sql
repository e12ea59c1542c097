-- An invitation's link has a secret of its own, which wrong codes do not end.
alter table invitations add column secret_hash bytea;
-- How many wrong codes came from which address: each address has its own tries.
alter table invitations add column wrong_from jsonb not null default '{}';
create unique index invitations_secret on invitations (secret_hash);
