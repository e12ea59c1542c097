-- Second tries and returns: which try a task is, of which task it is the next one, and which task took its place. `return_of` and
-- `returned_as` say the same of a parcel that goes back. Without foreign keys, like the links of tasks that are shared: a task that
-- goes is simply no longer shown. `earlier_awbs` are the labels that may still stick to the parcel.
alter table tasks
  add column attempt smallint not null default 1,
  add column attempt_of bigint,
  add column reattempted_as bigint,
  add column return_of bigint,
  add column returned_as bigint,
  add column earlier_awbs jsonb;
