-- What was found of an address, beside how good that is: its house, a point between its neighbours, its street, or its city.
-- Null where the coordinates were given, and where they were found before this was noted.
alter table addresses add column precision_detail text
  check (precision_detail in ('house', 'interpolated', 'street', 'city', 'learned'));
