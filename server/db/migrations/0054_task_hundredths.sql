-- What an amount has beyond whole units, in hundredths (docs/decisions/0046). A constant default: no row is written.
alter table tasks
  add column total_price_hundredths smallint not null default 0,
  add column left_to_be_paid_hundredths smallint not null default 0,
  add column delivery_price_hundredths smallint not null default 0;
