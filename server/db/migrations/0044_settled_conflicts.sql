-- The last event before the office decided: by it a phone knows which decisions are news. Those of before are not told.
alter table conflicts add column settled_after_event_id bigint;
create index conflicts_told on conflicts (organisation_id, settled_after_event_id, user_id)
  where settled_after_event_id is not null;
create index conflicts_of_driver on conflicts (organisation_id, user_id, settled_after_event_id)
  where settled_after_event_id is not null;
