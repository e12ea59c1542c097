-- A hub is an address like any other: as it was typed, and how exactly its place is known.
alter table hubs
  add column address text not null default '',
  add column precision text not null default 'exact' check (precision in ('exact', 'approximate'));
