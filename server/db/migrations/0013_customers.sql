-- A customer is known by a possible phone and the name; `phone` is that number, and null if there is none. Then what
-- somebody typed stands in `typed_phone`, and the record belongs to one task: the unique constraint lets any number of
-- nulls through, and stays as it is for processes of the version before, which name it in `on conflict`.
-- Records that tasks came to share without a phone are separated by server/tasks/separate.ts after the start.
alter table customers
  alter column phone drop not null,
  add column typed_phone text;
