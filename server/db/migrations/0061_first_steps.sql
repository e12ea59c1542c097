-- How far a new organisation is with its first steps. Those that exist have long taken them.
alter table organisations
  add column first_steps text not null default 'done' check (first_steps in ('setUp', 'open', 'done'));
