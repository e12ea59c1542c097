-- A picture that a driver gives to several tasks of a stop is a file of each, with the same bytes. Until these arrive, under the id the
-- phone gave it, the files of the other tasks wait here.
create table shared_files (
  organisation_id bigint not null references organisations,
  -- As the phone named it.
  file_id uuid not null,
  copy_id uuid not null,
  primary key (organisation_id, copy_id),
  foreign key (organisation_id, copy_id) references files (organisation_id, id) on delete cascade
);

create index shared_files_file on shared_files (organisation_id, file_id);

alter table shared_files enable row level security;
alter table shared_files force row level security;
create policy own_organisation on shared_files
  using ((select current_setting('waybill.organisation')::bigint) in (0, organisation_id));
