-- The same for what geocoders have answered. Answers from before are asked for again.
delete from geocodings;
alter table geocodings add column precision_detail text
  check (precision_detail in ('house', 'interpolated', 'street', 'city', 'learned'));
