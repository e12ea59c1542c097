-- Pictures of drivers of partners are known by their file, which has the same id on both sides.
update notes n set by_partners_driver = true
from partners p
where p.organisation_id = n.organisation_id and p.user_id = n.user_id and n.file_id is not null
  and exists (
    select from notes o
    join users u on u.organisation_id = o.organisation_id and u.id = o.user_id and u.is_driver
    where o.file_id = n.file_id);
