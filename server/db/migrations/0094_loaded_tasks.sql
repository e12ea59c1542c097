-- When a parcel was scanned in at the hub, and into the vehicle of its driver.
alter table tasks add column at_hub_at timestamptz, add column loaded_at timestamptz;
