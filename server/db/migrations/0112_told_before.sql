-- Tasks of partners that shared the record of their customer with others get one of their own. What nobody refers to any more is
-- deleted by server/tasks/customers/idle.ts.
with shared as materialized (
  select t.id as task_id, nextval(pg_get_serial_sequence('customers', 'id')) as own_id, c.*
  from tasks t
  join customers c on c.organisation_id = t.organisation_id and c.id = t.customer_id
  where t.owner_id is not null and c.phone is not null
), added as (
  insert into customers (organisation_id, id, name, typed_phone, email, address, address_second_line, lat, lng,
    created_at, updated_at, geocode_at, geocode_attempts, geocode_problem)
  overriding system value
  select organisation_id, own_id, name, phone, email, address, address_second_line, lat, lng,
    created_at, updated_at, geocode_at, geocode_attempts, geocode_problem
  from shared
)
update tasks t set customer_id = s.own_id
from shared s
where t.organisation_id = s.organisation_id and t.id = s.task_id and t.customer_id = s.id;

-- Pictures of drivers of partners are known by their file, which has the same id on both sides.
update notes n set by_partners_driver = true
from partners p
where p.organisation_id = n.organisation_id and p.user_id = n.user_id and n.file_id is not null
  and exists (
    select from notes o
    join users u on u.organisation_id = o.organisation_id and u.id = o.user_id and u.is_driver
    where o.file_id = n.file_id);
