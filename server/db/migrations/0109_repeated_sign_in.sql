-- An invitation that a phone has used, in a try that only this phone can repeat: the answer to the first may be lost.
alter table invitations
  add column try_hash bytea,
  add column device_id bigint;
