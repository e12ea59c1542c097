-- The street, house number, postal code, city and area that a geocoder found with the place. Beside what was given, which stays
-- as it was written, and shown only where nothing was: what a client left out it goes on leaving out, and nothing has changed.
alter table addresses add column found_parts jsonb;
