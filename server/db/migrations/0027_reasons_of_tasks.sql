alter table tasks add column cancel_reason_code text;
