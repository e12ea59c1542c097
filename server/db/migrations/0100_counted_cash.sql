-- What was counted last for a driver: their phones are told when there is more of it.
create index cash_lines_counted on cash_lines (organisation_id, user_id, id) where kind <> 'payment';
