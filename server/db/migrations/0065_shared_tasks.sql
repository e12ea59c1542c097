-- Lists the tasks shared with a partner. Both are empty where nobody shares, and cost nothing when a task is created.
create index tasks_of_owner on tasks (organisation_id, owner_id, id) where owner_id is not null;
create index tasks_of_fulfiller on tasks (organisation_id, fulfiller_id, id) where fulfiller_id is not null;
