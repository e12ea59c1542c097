-- The driver said that they have not arrived after all: positions near the address no longer say so either.
alter table tasks add column arrival_taken_back boolean not null default false;
