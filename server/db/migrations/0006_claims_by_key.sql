-- Claims are renewed by their keys: an index that every claim had to write and every result to leave behind.
drop index deliveries_claim;
