-- Where people reach the server of this database, one row, written at each start: for links that the command line makes.
-- No organisation of its own, as only the service itself reads it.
create table server_address (
  is_only boolean primary key default true check (is_only),
  address text not null
);

alter table server_address enable row level security;
alter table server_address force row level security;
create policy service_only on server_address
  using ((select current_setting('waybill.organisation')::bigint) = 0);
