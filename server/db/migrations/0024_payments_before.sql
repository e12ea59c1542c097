-- From now on what is left follows from the lines: what was paid before becomes one.
insert into payments (organisation_id, task_id, user_id, amount, method, note, occurred_at)
select t.organisation_id, t.id, first_admin.id, t.total_price - t.left_to_be_paid, 'other',
  'Paid before payments were listed', t.updated_at
from tasks t
cross join lateral (
  select id from users
  where organisation_id = t.organisation_id and is_admin
  order by deleted_at is not null, id
  limit 1
) first_admin
where t.collect_payment and t.left_to_be_paid < t.total_price;
