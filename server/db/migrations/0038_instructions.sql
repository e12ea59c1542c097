-- What the customer asked of the driver on the tracking page, as a list of texts. Customer notes have it too, among what
-- others wrote, which the page must not show.
alter table tasks add column instructions jsonb;
