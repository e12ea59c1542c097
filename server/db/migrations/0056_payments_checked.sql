-- Looks at every payment, and blocks nobody.
alter table payments validate constraint payments_not_nothing;
