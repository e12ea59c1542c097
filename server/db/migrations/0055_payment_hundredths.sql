-- The same of payments; of the sign of the amount. 0.50 is 0 units and 50 hundredths.
alter table payments
  add column amount_hundredths smallint not null default 0,
  drop constraint payments_amount_check,
  add constraint payments_not_nothing check (amount <> 0 or amount_hundredths <> 0) not valid;
