-- Money that one organisation collected for another. Each side has its own line, and both say so: `collected_by` is the partner whose
-- drivers collected it for us, `collected_for` the one it is owed to. In a chain the one in the middle has both.
alter table payments
  add column collected_by bigint,
  add column collected_for bigint;

-- A balance reads the lines of its days, however many others there are, and only here: the amounts are in the index. Payments nobody else
-- has a part in are in neither.
create index payments_collected_by on payments (organisation_id, collected_by, occurred_at)
  include (amount, amount_hundredths) where collected_by is not null;
create index payments_collected_for on payments (organisation_id, collected_for, occurred_at)
  include (amount, amount_hundredths) where collected_for is not null;
