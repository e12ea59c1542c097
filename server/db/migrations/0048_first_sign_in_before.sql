-- Devices may have been signed out and deleted since, so of drivers who were there before only this much is certain.
update users set first_signed_in_at = created_at where is_driver;
