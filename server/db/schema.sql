table absences (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  driver_id bigint not null,
  from_day text not null,
  to_day text not null,
  reason text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, id),
  CHECK ((from_day <= to_day)),
  CHECK ((from_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'::text)),
  CHECK ((to_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'::text)),
  FOREIGN KEY (organisation_id, driver_id) REFERENCES users(organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table addresses (
  organisation_id bigint not null,
  task_id bigint not null,
  id bigint generated as identity not null,
  address text not null,
  address_second_line text,
  city text,
  area text,
  country text not null,
  street_number text,
  street_name text,
  postal_code text,
  lat double precision,
  lng double precision,
  precision text,
  geocode_at timestamp with time zone,
  geocode_attempts integer not null default 0,
  geocode_problem text,
  found_parts jsonb,
  precision_detail text,
  PRIMARY KEY (organisation_id, task_id),
  CHECK ((precision_detail = ANY (ARRAY['house'::text, 'interpolated'::text, 'street'::text, 'city'::text, 'learned'::text]))),
  FOREIGN KEY (organisation_id, task_id) REFERENCES tasks(organisation_id, id)
)

table attempts (
  organisation_id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  number integer not null,
  outcome text not null,
  status integer,
  duration_ms integer not null,
  error text,
  answer text,
  attempted_at timestamp with time zone not null,
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table audit_failures (
  organisation_id bigint not null,
  kind text not null,
  subject_type text not null,
  subject_id bigint not null,
  hour timestamp with time zone not null,
  count integer not null,
  PRIMARY KEY (organisation_id, kind, subject_id, hour)
)

table audit_log (
  organisation_id bigint not null,
  at timestamp with time zone not null default date_trunc('milliseconds'::text, now()),
  id bigint generated as identity not null,
  kind text not null,
  actor_type text not null,
  actor_id bigint,
  address text,
  agent text,
  subject_type text not null,
  subject_id bigint,
  changes jsonb not null,
  count integer not null,
  PRIMARY KEY (organisation_id, at, id)
)

table cash_close_outs (
  organisation_id bigint not null,
  user_id bigint not null,
  day text not null,
  line_id bigint not null,
  cash_hundredths bigint not null,
  handed_in_hundredths bigint not null,
  closed_at timestamp with time zone not null,
  PRIMARY KEY (organisation_id, user_id, day),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id)
)

table cash_lines (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  user_id bigint not null,
  day text not null,
  of_day text,
  kind text not null,
  method text not null,
  hundredths bigint not null,
  payment_id bigint,
  task_id bigint,
  counted_by bigint,
  occurred_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, id),
  CHECK ((of_day < day)),
  CHECK (((kind = 'payment'::text) = (payment_id IS NOT NULL))),
  CHECK (((kind = 'payment'::text) = (counted_by IS NULL))),
  CHECK (((kind = 'closeOut'::text) OR (hundredths <> 0))),
  CHECK ((day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'::text)),
  CHECK ((kind = ANY (ARRAY['payment'::text, 'handIn'::text, 'closeOut'::text, 'correction'::text]))),
  FOREIGN KEY (organisation_id, counted_by) REFERENCES users(organisation_id, id),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id)
)

table cash_notes (
  organisation_id bigint not null,
  line_id bigint not null,
  note text not null,
  PRIMARY KEY (organisation_id, line_id)
)

table cash_progress (
  organisation_id bigint not null,
  payment_id bigint not null default 0,
  PRIMARY KEY (organisation_id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table conflicts (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  user_id bigint not null,
  task_id bigint not null,
  op_id text,
  op jsonb not null,
  code text not null,
  message text not null,
  occurred_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  applied boolean,
  note text,
  settled_by text,
  settled_after_event_id bigint,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id, task_id) REFERENCES tasks(organisation_id, id),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id)
)

table counted_days (
  organisation_id bigint not null,
  claimed_at timestamp with time zone not null,
  last_day text,
  PRIMARY KEY (organisation_id),
  CHECK ((last_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'::text)),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table customers (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  name text not null,
  phone text,
  email text,
  address text,
  address_second_line text,
  lat double precision,
  lng double precision,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  typed_phone text,
  geocode_at timestamp with time zone default now(),
  geocode_attempts integer not null default 0,
  geocode_problem text,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  UNIQUE (organisation_id, phone, name)
)

table dead_deliveries (
  organisation_id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  attempts integer not null,
  reason text not null,
  died_at timestamp with time zone not null,
  PRIMARY KEY (organisation_id, webhook_id, event_id),
  FOREIGN KEY (organisation_id, event_id) REFERENCES events(organisation_id, id),
  FOREIGN KEY (organisation_id, webhook_id) REFERENCES webhooks(organisation_id, id) ON DELETE CASCADE
)

table delegation_progress (
  organisation_id bigint not null,
  event_id bigint not null,
  PRIMARY KEY (organisation_id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table deliveries (
  organisation_id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  receiver_id bigint not null,
  task_id bigint not null,
  sequence integer not null,
  attempts integer not null default 0,
  due_at timestamp with time zone not null default now(),
  claim uuid,
  lane smallint not null default 0,
  PRIMARY KEY (organisation_id, webhook_id, event_id),
  FOREIGN KEY (organisation_id, event_id) REFERENCES events(organisation_id, id),
  FOREIGN KEY (organisation_id, receiver_id) REFERENCES receivers(organisation_id, id),
  FOREIGN KEY (organisation_id, webhook_id) REFERENCES webhooks(organisation_id, id) ON DELETE CASCADE
)

table dependencies (
  organisation_id bigint not null,
  task_id bigint not null,
  depends_on_id bigint not null,
  PRIMARY KEY (organisation_id, task_id, depends_on_id),
  CHECK ((task_id <> depends_on_id)),
  FOREIGN KEY (organisation_id, depends_on_id) REFERENCES tasks(organisation_id, id),
  FOREIGN KEY (organisation_id, task_id) REFERENCES tasks(organisation_id, id)
)

table driver_days (
  organisation_id bigint not null,
  driver_id bigint not null,
  day text not null,
  stops integer not null,
  stop_seconds integer not null,
  driven_metres integer,
  PRIMARY KEY (organisation_id, driver_id, day),
  CHECK ((day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'::text)),
  FOREIGN KEY (organisation_id, driver_id) REFERENCES users(organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table driver_positions (
  organisation_id bigint not null,
  driver_id bigint not null,
  lat double precision not null,
  lng double precision not null,
  heading double precision,
  speed_metres_per_second double precision,
  accuracy_metres double precision,
  occurred_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, driver_id),
  FOREIGN KEY (organisation_id, driver_id) REFERENCES users(organisation_id, id)
)

table driver_tokens (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  user_id bigint not null,
  hash bytea not null,
  created_at timestamp with time zone not null default now(),
  name text,
  version text,
  battery smallint,
  pending integer,
  last_seen_at timestamp with time zone,
  device_key_hash bytea,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id),
  UNIQUE (hash)
)

table due_returns (
  organisation_id bigint not null,
  task_id bigint not null,
  PRIMARY KEY (organisation_id, task_id),
  FOREIGN KEY (organisation_id, task_id) REFERENCES tasks(organisation_id, id) ON DELETE CASCADE
)

table erasures (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  receipt uuid not null default gen_random_uuid(),
  reason text not null,
  actor_type text not null,
  actor_id bigint,
  hours integer,
  driver_id bigint,
  task_ids jsonb not null default '[]'::jsonb,
  waiting jsonb not null default '[]'::jsonb,
  counts jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  is_repeated boolean not null default false,
  filed_at timestamp with time zone,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  UNIQUE (receipt)
)

table event_counters (
  organisation_id bigint not null,
  last_event_id bigint not null default 0,
  PRIMARY KEY (organisation_id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table events (
  organisation_id bigint not null,
  id bigint not null,
  task_id bigint not null,
  sequence integer not null,
  trigger_id smallint not null,
  snapshot_id bigint not null,
  task text,
  awb text not null,
  user_id bigint,
  driver text,
  previous text,
  from_status_id smallint,
  to_status_id smallint,
  actor_type text not null,
  actor_id bigint,
  actor_name text not null,
  lat double precision,
  lng double precision,
  occurred_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  remark text,
  synced_by bigint,
  PRIMARY KEY (organisation_id, id),
  CHECK (((task IS NOT NULL) = (snapshot_id = id))),
  FOREIGN KEY (organisation_id, task_id) REFERENCES tasks(organisation_id, id),
  UNIQUE (organisation_id, task_id, sequence)
)

table files (
  organisation_id bigint not null,
  id uuid not null,
  user_id bigint,
  task_id bigint,
  store_key text,
  sha256 bytea,
  type text,
  bytes integer,
  width integer,
  height integer,
  unused_since timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  FOREIGN KEY (organisation_id, task_id) REFERENCES tasks(organisation_id, id),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id)
)

table followed_drivers (
  organisation_id bigint not null,
  driver_id bigint not null,
  followed_at timestamp with time zone not null,
  PRIMARY KEY (organisation_id, driver_id)
)

table forms (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  name text not null,
  fields jsonb not null,
  is_default boolean not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table geocoder_turns (
  organisation_id bigint not null,
  geocoder text not null,
  next_at timestamp with time zone not null,
  PRIMARY KEY (organisation_id, geocoder)
)

table geocodings (
  organisation_id bigint not null,
  geocoder text not null,
  address_hash bytea not null,
  lat double precision,
  lng double precision,
  precision text,
  expires_at timestamp with time zone not null,
  precision_detail text,
  PRIMARY KEY (organisation_id, geocoder, address_hash),
  CHECK ((precision_detail = ANY (ARRAY['house'::text, 'interpolated'::text, 'street'::text, 'city'::text, 'learned'::text]))),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table holidays (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  day text not null,
  name text not null default ''::text,
  is_working_day boolean not null default false,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, id),
  CHECK ((day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'::text)),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  UNIQUE (organisation_id, day)
)

table hubs (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  name text not null,
  lat double precision not null,
  lng double precision not null,
  city text not null,
  state text not null,
  country text not null,
  street_number text not null,
  street_name text not null,
  postal_code text not null,
  apartment text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  address text not null default ''::text,
  precision text not null default 'exact'::text,
  PRIMARY KEY (organisation_id, id),
  CHECK (("precision" = ANY (ARRAY['exact'::text, 'approximate'::text]))),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table invitations (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  user_id bigint not null,
  hash bytea not null,
  tries_left smallint not null,
  expires_at timestamp with time zone not null,
  secret_hash bytea,
  wrong_from jsonb not null default '{}'::jsonb,
  try_hash bytea,
  device_id bigint,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id)
)

table kept_answers (
  organisation_id bigint not null,
  caller text not null,
  key text not null,
  fingerprint bytea not null,
  answer text not null,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, caller, key),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table keys (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  name text not null,
  hash bytea not null,
  scopes text[] not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  replaced_by bigint,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  FOREIGN KEY (organisation_id, replaced_by) REFERENCES keys(organisation_id, id),
  UNIQUE (hash)
)

table known_callers (
  organisation_id bigint not null,
  user_id bigint not null,
  hash bytea not null,
  is_device boolean not null,
  last_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, user_id, hash),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id)
)

table learned_places (
  organisation_id bigint not null,
  address_hash bytea not null,
  lat double precision,
  lng double precision,
  is_by_person boolean not null,
  seen jsonb not null,
  task_id bigint not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (organisation_id, address_hash),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table learned_speeds (
  organisation_id bigint not null,
  transportation_id smallint not null,
  hour smallint not null,
  factor real not null,
  count integer not null,
  PRIMARY KEY (organisation_id, transportation_id, hour),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table leaving_tasks (
  organisation_id bigint not null,
  task_id bigint not null,
  at_once boolean not null,
  PRIMARY KEY (organisation_id, task_id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table left_tasks (
  organisation_id bigint not null,
  task_id bigint not null,
  reason text not null,
  tried_at timestamp with time zone,
  PRIMARY KEY (organisation_id, task_id),
  FOREIGN KEY (organisation_id, task_id) REFERENCES tasks(organisation_id, id) ON DELETE CASCADE
)

table leftovers (
  organisation_id bigint not null,
  store_key text not null,
  due_at timestamp with time zone not null,
  PRIMARY KEY (organisation_id, store_key),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table locations (
  organisation_id bigint not null,
  driver_id bigint not null,
  occurred_at timestamp with time zone not null,
  lat double precision not null,
  lng double precision not null,
  accuracy_metres real,
  speed_metres_per_second real,
  heading real,
  battery smallint,
  PRIMARY KEY (organisation_id, driver_id, occurred_at)
)

table logins (
  organisation_id bigint not null,
  user_id bigint not null,
  email text not null,
  password text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, user_id),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id)
)

table map_imports (
  id bigint not null,
  state text not null default 'making'::text,
  name text not null,
  source text not null,
  source_bytes bigint not null,
  map_date timestamp with time zone,
  began_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  west double precision,
  south double precision,
  east double precision,
  north double precision,
  made jsonb not null default '{}'::jsonb,
  files jsonb not null default '[]'::jsonb,
  PRIMARY KEY (id),
  CHECK ((state = ANY (ARRAY['making'::text, 'current'::text, 'leaving'::text])))
)

table message_days (
  organisation_id bigint not null,
  day text not null,
  sent integer not null,
  PRIMARY KEY (organisation_id, day),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table message_opt_outs (
  organisation_id bigint not null,
  address text not null,
  opted_out_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, address),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table message_texts (
  organisation_id bigint not null,
  cause text not null,
  language text not null,
  subject text,
  body text not null,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, cause, language),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table messages (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  task_id bigint,
  cause text not null,
  occasion integer not null default 0,
  channel text not null,
  recipient text not null,
  language text not null,
  subject text not null,
  body text not null,
  state text not null,
  reason text,
  error text,
  attempts integer not null default 0,
  attempts_before integer,
  claim uuid,
  due_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  occurred_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  facts jsonb not null default '{}'::jsonb,
  quiet_until timestamp with time zone,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id, task_id) REFERENCES tasks(organisation_id, id)
)

table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  PRIMARY KEY (name)
)

table notes (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  task_id bigint not null,
  user_id bigint not null,
  type smallint not null,
  note text,
  image text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  file_id uuid,
  seen_at timestamp with time zone,
  by_partners_driver boolean not null default false,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id, task_id) REFERENCES tasks(organisation_id, id),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id)
)

table ops (
  organisation_id bigint not null,
  user_id bigint not null,
  op_id text not null,
  type text not null,
  task_id bigint,
  digest bytea not null,
  answer jsonb not null,
  occurred_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  sequence integer,
  PRIMARY KEY (organisation_id, user_id, op_id),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id)
)

table organisations (
  id bigint generated as identity not null,
  name text not null,
  logo text not null default ''::text,
  email text not null default ''::text,
  phone text,
  country text not null,
  timezone text not null,
  currency text not null,
  settings jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  settings_changed_at timestamp with time zone,
  first_steps text not null default 'done'::text,
  shift_times jsonb not null default '[]'::jsonb,
  PRIMARY KEY (id),
  CHECK ((first_steps = ANY (ARRAY['setUp'::text, 'open'::text, 'done'::text])))
)

table partners (
  organisation_id bigint not null,
  partner_id bigint not null,
  agreed_at timestamp with time zone,
  they_agreed_at timestamp with time zone,
  company jsonb,
  user_id bigint,
  PRIMARY KEY (organisation_id, partner_id),
  CHECK ((organisation_id <> partner_id)),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table password_tries (
  account bytea not null,
  source bytea not null,
  is_stranger boolean not null,
  wrong integer not null,
  next_at timestamp with time zone not null,
  forget_at timestamp with time zone not null,
  PRIMARY KEY (account, source)
)

table payments (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  task_id bigint not null,
  user_id bigint not null,
  amount integer not null,
  method text not null,
  note text,
  occurred_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null default now(),
  amount_hundredths smallint not null default 0,
  collected_by bigint,
  collected_for bigint,
  PRIMARY KEY (organisation_id, id),
  CHECK (((amount <> 0) OR (amount_hundredths <> 0))),
  FOREIGN KEY (organisation_id, task_id) REFERENCES tasks(organisation_id, id),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id)
)

table promises (
  organisation_id bigint not null,
  task_id bigint not null,
  promised_at timestamp with time zone not null,
  eta_at timestamp with time zone not null,
  arrived_at timestamp with time zone,
  PRIMARY KEY (organisation_id, task_id, promised_at),
  FOREIGN KEY (organisation_id, task_id) REFERENCES tasks(organisation_id, id)
)

table proof_link_tasks (
  organisation_id bigint not null,
  link_id bigint not null,
  task_id bigint not null,
  place integer not null,
  PRIMARY KEY (organisation_id, link_id, task_id),
  FOREIGN KEY (organisation_id, link_id) REFERENCES proof_links(organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, task_id) REFERENCES tasks(organisation_id, id) ON DELETE CASCADE
)

table proof_links (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  hash bytea not null,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  UNIQUE (hash)
)

table push_keys (
  is_only boolean not null default true,
  public_key text not null,
  private_key text not null,
  PRIMARY KEY (is_only),
  CHECK (is_only)
)

table push_progress (
  organisation_id bigint not null,
  event_id bigint not null,
  PRIMARY KEY (organisation_id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table push_subscriptions (
  organisation_id bigint not null,
  device_id bigint not null,
  endpoint text not null,
  p256dh bytea not null,
  auth bytea not null,
  updated_at timestamp with time zone not null default now(),
  news_event_id bigint not null default 0,
  told_event_id bigint not null default 0,
  due_at timestamp with time zone,
  attempts smallint not null default 0,
  called_at timestamp with time zone,
  PRIMARY KEY (organisation_id, device_id),
  FOREIGN KEY (organisation_id, device_id) REFERENCES driver_tokens(organisation_id, id) ON DELETE CASCADE
)

table rate_buckets (
  name text not null,
  tokens double precision not null,
  filled_at timestamp with time zone not null,
  PRIMARY KEY (name)
)

table reasons (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  code text not null,
  label text not null,
  labels jsonb not null,
  photo_required boolean not null,
  note_required boolean not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table receivers (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  url text not null,
  secret text not null,
  created_at timestamp with time zone not null default now(),
  previous_secret text,
  previous_secret_until timestamp with time zone,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table register_own (
  is_only boolean not null default true,
  register_id bigint not null,
  places bigint not null,
  imported_at timestamp with time zone not null default now(),
  PRIMARY KEY (is_only),
  CHECK (is_only)
)

table register_own_places (
  key bytea not null,
  street text,
  number text,
  city text,
  area text,
  postal_code text,
  country text,
  lat integer not null,
  lng integer not null,
  PRIMARY KEY (key)
)

table register_places (
  register_id bigint not null,
  id integer not null,
  name text not null,
  other_names text[] not null,
  kind text not null,
  population integer not null,
  country text,
  lat double precision not null,
  lng double precision not null,
  area_ids integer[] not null,
  PRIMARY KEY (register_id, id)
)

table register_postings (
  register_id bigint not null,
  word_id integer not null,
  place_id integer not null,
  street_id integer not null,
  PRIMARY KEY (register_id, word_id, place_id, street_id)
)

table register_spellings (
  register_id bigint not null,
  form integer not null,
  word_id integer not null,
  PRIMARY KEY (register_id, form, word_id)
)

table register_streets (
  register_id bigint not null,
  id integer not null,
  name text not null,
  other_names text[] not null,
  place_id integer not null,
  area_id integer,
  also_in integer[] not null,
  postal_code text,
  lat double precision not null,
  lng double precision not null,
  reach_metres integer not null,
  house_count integer not null,
  line text not null,
  houses text not null,
  PRIMARY KEY (register_id, id)
)

table register_words (
  register_id bigint not null,
  id integer not null,
  word text not null,
  street_count integer not null,
  place_ids integer[] not null,
  PRIMARY KEY (register_id, id)
)

table scans (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  code text not null,
  at text not null,
  result text not null,
  task_id bigint,
  user_id bigint,
  day text not null,
  actor_type text not null,
  actor_id bigint,
  occurred_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  FOREIGN KEY (organisation_id, task_id) REFERENCES tasks(organisation_id, id) ON DELETE CASCADE
)

table schedule_days (
  organisation_id bigint not null,
  schedule_id bigint not null,
  day text not null,
  task_id bigint not null,
  made_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, schedule_id, day),
  CHECK ((day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'::text)),
  FOREIGN KEY (organisation_id, schedule_id) REFERENCES schedules(organisation_id, id) ON DELETE CASCADE
)

table schedules (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  name text not null,
  task jsonb not null,
  repeats jsonb not null,
  start_time text,
  end_time text,
  from_day text not null,
  until_day text,
  count integer,
  skips jsonb not null default '[]'::jsonb,
  skip_holidays boolean not null default false,
  days_ahead smallint not null,
  awb_prefix text,
  is_paused boolean not null default false,
  due_at timestamp with time zone,
  problem jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, id),
  CHECK ((from_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'::text)),
  CHECK ((until_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'::text)),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table server_address (
  is_only boolean not null default true,
  address text not null,
  PRIMARY KEY (is_only),
  CHECK (is_only)
)

table sessions (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  user_id bigint not null,
  hash bytea not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id),
  UNIQUE (hash)
)

table shared_files (
  organisation_id bigint not null,
  file_id uuid not null,
  copy_id uuid not null,
  PRIMARY KEY (organisation_id, copy_id),
  FOREIGN KEY (organisation_id, copy_id) REFERENCES files(organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table sign_in_links (
  organisation_id bigint not null,
  user_id bigint not null,
  hash bytea not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (organisation_id, user_id),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id),
  UNIQUE (hash)
)

table speed_lessons (
  organisation_id bigint not null,
  claimed_at timestamp with time zone not null,
  learned_at timestamp with time zone,
  seen jsonb not null default '[]'::jsonb,
  PRIMARY KEY (organisation_id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table task_templates (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  name text not null,
  task jsonb not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table task_words (
  organisation_id bigint not null,
  task_id bigint not null,
  word text not null
)

table tasks (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  awb text not null,
  uuid text not null,
  status_id smallint not null,
  user_id bigint,
  customer_id bigint,
  details text not null,
  customer_notes text,
  total_price integer,
  left_to_be_paid integer,
  delivery_price integer,
  collect_payment boolean not null,
  payment_type_id smallint not null,
  quantity integer,
  priority integer not null,
  service_minutes integer,
  complete_after timestamp with time zone,
  complete_before timestamp with time zone,
  pickup_task boolean not null,
  inventory jsonb,
  custom_fields jsonb not null,
  send_notifications boolean not null,
  mobile_task_form text,
  cancel_reason text,
  route jsonb,
  eta_seconds integer not null default 0,
  eta_text text,
  sent_eta boolean not null default false,
  driver_arrived boolean not null default false,
  will_be_delayed boolean not null default false,
  delayed boolean not null default false,
  started_at timestamp with time zone,
  arrived_at timestamp with time zone,
  completed_at timestamp with time zone,
  last_sequence integer not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  team_id bigint,
  route_position integer,
  accepted_at timestamp with time zone,
  planned_at timestamp with time zone default COALESCE(complete_after, complete_before, created_at),
  form_id bigint,
  feedback jsonb,
  cancel_reason_code text,
  eta_at timestamp with time zone,
  last_lat double precision,
  last_lng double precision,
  instructions jsonb,
  arrival_taken_back boolean not null default false,
  erased_at timestamp with time zone,
  total_price_hundredths smallint not null default 0,
  left_to_be_paid_hundredths smallint not null default 0,
  delivery_price_hundredths smallint not null default 0,
  owner_id bigint,
  owner_task_id bigint,
  fulfiller_id bigint,
  fulfiller_task_id bigint,
  fulfiller_driver text,
  fulfiller_phone text,
  chain_awbs jsonb,
  messages_by text,
  attempt smallint not null default 1,
  attempt_of bigint,
  reattempted_as bigint,
  return_of bigint,
  returned_as bigint,
  earlier_awbs jsonb,
  at_hub_at timestamp with time zone,
  loaded_at timestamp with time zone,
  schedule_id bigint,
  schedule_changed boolean not null default false,
  closed_at timestamp with time zone,
  PRIMARY KEY (organisation_id, id),
  CHECK (((user_id IS NULL) OR (route_position IS NOT NULL))) NOT VALID,
  FOREIGN KEY (organisation_id, customer_id) REFERENCES customers(organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  FOREIGN KEY (organisation_id, team_id) REFERENCES teams(organisation_id, id) ON DELETE SET NULL (team_id),
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id),
  UNIQUE (uuid)
)

table team_drivers (
  organisation_id bigint not null,
  team_id bigint not null,
  user_id bigint not null,
  PRIMARY KEY (organisation_id, team_id, user_id),
  FOREIGN KEY (organisation_id, team_id) REFERENCES teams(organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, user_id) REFERENCES users(organisation_id, id) ON DELETE CASCADE
)

table teams (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  name text not null,
  hub_id bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id),
  FOREIGN KEY (organisation_id, hub_id) REFERENCES hubs(organisation_id, id)
)

table told_arrivals (
  organisation_id bigint not null,
  device_id bigint not null,
  number bigint not null,
  arrivals jsonb not null,
  PRIMARY KEY (organisation_id, device_id),
  FOREIGN KEY (organisation_id, device_id) REFERENCES driver_tokens(organisation_id, id) ON DELETE CASCADE
)

table undo_steps (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  undo_id uuid not null,
  tasks jsonb not null,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (organisation_id, id)
)

table users (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  name text not null,
  email text,
  phone text not null default ''::text,
  avatar text,
  is_driver boolean not null default false,
  is_admin boolean not null default false,
  in_shift boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  is_dispatcher boolean not null default false,
  is_super_admin boolean not null default false,
  active boolean not null default true,
  has_dismissed_intro boolean not null default false,
  transportation_id smallint,
  shift_start text,
  shift_end text,
  lunch_start text,
  lunch_end text,
  lunch_minutes integer,
  duty_started_at timestamp with time zone,
  duty_ended_at timestamp with time zone,
  first_signed_in_at timestamp with time zone,
  erased_at timestamp with time zone,
  shift_times jsonb not null default '[]'::jsonb,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

table webhooks (
  organisation_id bigint not null,
  id bigint generated as identity not null,
  receiver_id bigint not null,
  trigger_id smallint not null,
  verification text not null,
  is_enabled boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  consecutive_failures integer not null default 0,
  failing_since timestamp with time zone,
  disabled_reason text,
  PRIMARY KEY (organisation_id, id),
  FOREIGN KEY (organisation_id, receiver_id) REFERENCES receivers(organisation_id, id)
)

table word_progress (
  organisation_id bigint not null,
  task_id bigint not null default 0,
  PRIMARY KEY (organisation_id),
  FOREIGN KEY (organisation_id) REFERENCES organisations(id)
)

CREATE INDEX absences_day ON public.absences USING btree (organisation_id, to_day)
CREATE INDEX absences_driver ON public.absences USING btree (organisation_id, driver_id, to_day)
CREATE INDEX addresses_to_geocode ON public.addresses USING btree (organisation_id, geocode_at) WHERE ((geocode_at IS NOT NULL) AND (lat IS NULL))
CREATE INDEX attempts_delivery ON ONLY public.attempts USING btree (organisation_id, webhook_id, event_id)
CREATE INDEX cash_lines_counted ON public.cash_lines USING btree (organisation_id, user_id, id) WHERE (kind <> 'payment'::text)
CREATE INDEX cash_lines_day ON public.cash_lines USING btree (organisation_id, user_id, day)
CREATE INDEX cash_lines_of_day ON public.cash_lines USING btree (organisation_id, day)
CREATE INDEX conflicts_of_driver ON public.conflicts USING btree (organisation_id, user_id, settled_after_event_id) WHERE (settled_after_event_id IS NOT NULL)
CREATE INDEX conflicts_open ON public.conflicts USING btree (organisation_id, id) WHERE (settled_at IS NULL)
CREATE INDEX conflicts_task ON public.conflicts USING btree (organisation_id, task_id)
CREATE INDEX conflicts_told ON public.conflicts USING btree (organisation_id, settled_after_event_id, user_id) WHERE (settled_after_event_id IS NOT NULL)
CREATE INDEX customers_email ON public.customers USING btree (organisation_id, lower(email)) WHERE (email IS NOT NULL)
CREATE INDEX customers_to_geocode ON public.customers USING btree (organisation_id, geocode_at) WHERE ((geocode_at IS NOT NULL) AND (lat IS NULL) AND (btrim(address) <> ''::text))
CREATE INDEX customers_typed_phone ON public.customers USING btree (organisation_id, typed_phone) WHERE (typed_phone > ''::text)
CREATE INDEX dead_deliveries_event ON public.dead_deliveries USING btree (organisation_id, event_id)
CREATE INDEX deliveries_claimed ON public.deliveries USING btree (organisation_id, receiver_id, lane) WHERE (claim IS NOT NULL)
CREATE INDEX deliveries_lane ON public.deliveries USING btree (organisation_id, receiver_id, lane, due_at)
CREATE INDEX deliveries_order ON public.deliveries USING btree (organisation_id, receiver_id, task_id, sequence, webhook_id)
CREATE INDEX dependencies_of ON public.dependencies USING btree (organisation_id, depends_on_id)
CREATE INDEX driver_tokens_user ON public.driver_tokens USING btree (organisation_id, user_id)
CREATE INDEX erasures_unfiled ON public.erasures USING btree (id) WHERE ((filed_at IS NULL) AND (finished_at IS NOT NULL))
CREATE INDEX erasures_unfinished ON public.erasures USING btree (organisation_id, id) WHERE (finished_at IS NULL)
CREATE INDEX events_former_email ON public.events USING btree (organisation_id, lower(((previous)::jsonb #>> '{customer,email}'::text[]))) WHERE (previous ~~ '%"customer":{%'::text)
CREATE INDEX events_former_phone ON public.events USING btree (organisation_id, (((previous)::jsonb #>> '{customer,phone}'::text[]))) WHERE (previous ~~ '%"customer":{%'::text)
CREATE INDEX files_store_key ON public.files USING btree (store_key) WHERE (store_key IS NOT NULL)
CREATE INDEX files_task ON public.files USING btree (organisation_id, task_id) WHERE (task_id IS NOT NULL)
CREATE INDEX files_unused ON public.files USING btree (unused_since) WHERE (unused_since IS NOT NULL)
CREATE INDEX geocodings_address ON public.geocodings USING btree (organisation_id, address_hash)
CREATE INDEX geocodings_expiry ON public.geocodings USING btree (expires_at)
CREATE INDEX invitations_user ON public.invitations USING btree (organisation_id, user_id)
CREATE INDEX kept_answers_age ON public.kept_answers USING btree (created_at)
CREATE INDEX learned_places_age ON public.learned_places USING btree (organisation_id, updated_at)
CREATE INDEX learned_places_task ON public.learned_places USING btree (organisation_id, task_id)
CREATE INDEX leftovers_due ON public.leftovers USING btree (due_at)
CREATE INDEX messages_queue ON public.messages USING btree (organisation_id, channel, due_at) WHERE (state = ANY (ARRAY['waiting'::text, 'sending'::text]))
CREATE INDEX messages_recipient ON public.messages USING btree (organisation_id, recipient)
CREATE INDEX messages_trouble ON public.messages USING btree (organisation_id, id) WHERE (state = ANY (ARRAY['failed'::text, 'unknown'::text]))
CREATE INDEX notes_task ON public.notes USING btree (organisation_id, task_id)
CREATE INDEX notes_unseen ON public.notes USING btree (organisation_id, created_at) WHERE ((seen_at IS NULL) AND (type = 1))
CREATE INDEX ops_recorded ON public.ops USING btree (recorded_at)
CREATE INDEX ops_refused ON public.ops USING btree (organisation_id, task_id) WHERE ((answer ? 'error'::text) AND (task_id IS NOT NULL))
CREATE INDEX password_tries_forget ON public.password_tries USING btree (forget_at)
CREATE INDEX payments_collected_by ON public.payments USING btree (organisation_id, collected_by, occurred_at) INCLUDE (amount, amount_hundredths) WHERE (collected_by IS NOT NULL)
CREATE INDEX payments_collected_for ON public.payments USING btree (organisation_id, collected_for, occurred_at) INCLUDE (amount, amount_hundredths) WHERE (collected_for IS NOT NULL)
CREATE INDEX payments_task ON public.payments USING btree (organisation_id, task_id)
CREATE INDEX promises_time ON public.promises USING btree (organisation_id, promised_at)
CREATE INDEX proof_link_tasks_task ON public.proof_link_tasks USING btree (organisation_id, task_id)
CREATE INDEX push_subscriptions_due ON public.push_subscriptions USING btree (organisation_id, due_at) WHERE (due_at IS NOT NULL)
CREATE INDEX register_words_word ON ONLY public.register_words USING btree (register_id, word)
CREATE INDEX scans_age ON public.scans USING btree (recorded_at)
CREATE INDEX scans_day ON public.scans USING btree (organisation_id, day, id)
CREATE INDEX scans_task ON public.scans USING btree (organisation_id, task_id) WHERE (task_id IS NOT NULL)
CREATE INDEX schedules_due ON public.schedules USING btree (due_at) WHERE (due_at IS NOT NULL)
CREATE INDEX sessions_user ON public.sessions USING btree (organisation_id, user_id)
CREATE INDEX shared_files_file ON public.shared_files USING btree (organisation_id, file_id)
CREATE INDEX task_words_task ON public.task_words USING btree (organisation_id, task_id)
CREATE INDEX task_words_word ON public.task_words USING btree (organisation_id, word)
CREATE INDEX tasks_customer ON public.tasks USING btree (organisation_id, customer_id) WHERE (customer_id IS NOT NULL)
CREATE INDEX tasks_deleted ON public.tasks USING btree (organisation_id, deleted_at) WHERE (deleted_at IS NOT NULL)
CREATE INDEX tasks_deleted_tries ON public.tasks USING btree (organisation_id) WHERE ((deleted_at IS NOT NULL) AND (COALESCE(attempt_of, return_of) IS NOT NULL))
CREATE INDEX tasks_driver ON public.tasks USING btree (organisation_id, user_id, status_id) WHERE ((status_id < 9) AND (deleted_at IS NULL) AND (user_id IS NOT NULL))
CREATE INDEX tasks_due ON public.tasks USING btree (complete_before) WHERE ((status_id < 9) AND (deleted_at IS NULL) AND (NOT delayed) AND (complete_before IS NOT NULL))
CREATE INDEX tasks_ended ON public.tasks USING btree (organisation_id, completed_at) WHERE ((deleted_at IS NULL) AND (completed_at IS NOT NULL))
CREATE INDEX tasks_failed ON public.tasks USING btree (organisation_id, attempt) WHERE ((status_id = 10) AND (deleted_at IS NULL) AND (reattempted_as IS NULL) AND (returned_as IS NULL) AND (closed_at IS NULL))
CREATE INDEX tasks_of_driver ON public.tasks USING btree (organisation_id, user_id, id) WHERE ((deleted_at IS NULL) AND (user_id IS NOT NULL))
CREATE INDEX tasks_of_fulfiller ON public.tasks USING btree (organisation_id, fulfiller_id, id) WHERE (fulfiller_id IS NOT NULL)
CREATE INDEX tasks_of_owner ON public.tasks USING btree (organisation_id, owner_id, id) WHERE (owner_id IS NOT NULL)
CREATE INDEX tasks_of_partners ON public.tasks USING btree (organisation_id, owner_id) WHERE ((owner_id IS NOT NULL) AND (erased_at IS NULL))
CREATE INDEX tasks_planned ON public.tasks USING btree (organisation_id, planned_at) WHERE (deleted_at IS NULL)
CREATE INDEX tasks_route ON public.tasks USING btree (organisation_id, user_id, ((status_id >= 9)), route_position, id) WHERE ((deleted_at IS NULL) AND (user_id IS NOT NULL))
CREATE INDEX tasks_status ON public.tasks USING btree (organisation_id, status_id, id) WHERE (deleted_at IS NULL)
CREATE INDEX tasks_team ON public.tasks USING btree (organisation_id, team_id, id) WHERE (team_id IS NOT NULL)
CREATE INDEX tasks_to_erase ON public.tasks USING btree (organisation_id, COALESCE(completed_at, deleted_at)) WHERE ((erased_at IS NULL) AND (COALESCE(completed_at, deleted_at) IS NOT NULL))
CREATE INDEX tasks_updated ON public.tasks USING btree (organisation_id, updated_at) WHERE (deleted_at IS NULL)
CREATE INDEX team_drivers_user ON public.team_drivers USING btree (organisation_id, user_id)
CREATE INDEX teams_hub ON public.teams USING btree (organisation_id, hub_id)
CREATE INDEX undo_steps_created ON public.undo_steps USING btree (created_at)
CREATE INDEX undo_steps_undo ON public.undo_steps USING btree (organisation_id, undo_id)
CREATE INDEX users_phone ON public.users USING btree (phone) WHERE (is_driver AND (deleted_at IS NULL))
CREATE INDEX webhooks_trigger ON public.webhooks USING btree (organisation_id, trigger_id)
CREATE UNIQUE INDEX cash_lines_payment ON public.cash_lines USING btree (organisation_id, payment_id) WHERE (payment_id IS NOT NULL)
CREATE UNIQUE INDEX driver_tokens_device_key ON public.driver_tokens USING btree (device_key_hash)
CREATE UNIQUE INDEX forms_default ON public.forms USING btree (organisation_id) WHERE is_default
CREATE UNIQUE INDEX invitations_secret ON public.invitations USING btree (secret_hash)
CREATE UNIQUE INDEX logins_email ON public.logins USING btree (lower(email))
CREATE UNIQUE INDEX map_imports_current ON public.map_imports USING btree (state) WHERE (state = 'current'::text)
CREATE UNIQUE INDEX messages_cause ON public.messages USING btree (organisation_id, task_id, cause, occasion)
CREATE UNIQUE INDEX reasons_code ON public.reasons USING btree (organisation_id, code) WHERE (deleted_at IS NULL)
CREATE UNIQUE INDEX receivers_url ON public.receivers USING btree (organisation_id, md5(url))
CREATE UNIQUE INDEX tasks_awb ON public.tasks USING btree (organisation_id, awb) WHERE (deleted_at IS NULL)
policy own_organisation on absences using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on addresses using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on attempts using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on audit_failures using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on audit_log using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on cash_close_outs using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on cash_lines using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on cash_notes using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on cash_progress using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on conflicts using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on counted_days using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on customers using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on dead_deliveries using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on delegation_progress using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on deliveries using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on dependencies using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on driver_days using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on driver_positions using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on driver_tokens using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on due_returns using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on erasures using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on event_counters using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on events using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on files using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on followed_drivers using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on forms using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on geocoder_turns using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on geocodings using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on holidays using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on hubs using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on invitations using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on kept_answers using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on keys using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on known_callers using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on learned_places using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on learned_speeds using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on leaving_tasks using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on left_tasks using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on leftovers using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on locations using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on logins using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on message_days using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on message_opt_outs using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on message_texts using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on messages using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on notes using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on ops using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on organisations using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = id))
policy own_organisation on partners using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on payments using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on promises using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on proof_link_tasks using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on proof_links using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on push_progress using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on push_subscriptions using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on reasons using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on receivers using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on scans using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on schedule_days using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on schedules using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on sessions using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on shared_files using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on sign_in_links using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on speed_lessons using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on task_templates using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on task_words using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on tasks using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on team_drivers using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on teams using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on told_arrivals using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on undo_steps using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on users using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on webhooks using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy own_organisation on word_progress using ((( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0) OR (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = organisation_id))
policy service_only on map_imports using (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0)
policy service_only on password_tries using (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0)
policy service_only on push_keys using (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0)
policy service_only on rate_buckets using (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0)
policy service_only on register_own using (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0)
policy service_only on register_own_places using (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0)
policy service_only on register_places using (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0)
policy service_only on register_postings using (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0)
policy service_only on register_spellings using (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0)
policy service_only on register_streets using (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0)
policy service_only on register_words using (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0)
policy service_only on server_address using (( SELECT (current_setting('waybill.organisation'::text))::bigint AS current_setting) = 0)
