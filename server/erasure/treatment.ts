import { firstNameOf } from '../../core/first-name.ts'
import { raw, type Sql, sql } from '../db/sql.ts'

/*
 * What erasing does to every column of every table. The statements of an erasure are made from this table, and a test
 * compares it with the catalogue of the database: a column that a later migration adds has to be decided about here.
 */

/** Whose data is erased: that of the customers of some tasks, or of a driver, and what tasks that they had say of them. */
export interface OfTasks {
  organisationId: number
  taskIds: number[]
}
export interface OfDriver {
  organisationId: number
  driverId: number
}
/** Here, and at whoever gave them: there a driver is only a name. */
export interface OfDriversTasks extends OfTasks {
  names: string[]
}

/** What becomes of some rows of a table. Columns that are not named stay. */
export interface Change<Scope> {
  /** Which rows; those of the organisation are meant. */
  rows: (scope: Scope) => Sql
  isDeleted?: true
  /** Columns that become null, or the empty text, or something else. */
  cleared?: string
  emptied?: string
  replaced?: Record<string, string>
}

export interface Treatment {
  ofTasks?: Change<OfTasks>
  ofDriver?: Change<OfDriver>
  ofDriversTasks?: Change<OfDriversTasks>
  /** Columns whose contents a program of ours takes the personal data out of, because SQL cannot. */
  rewritten?: string
  /** Columns that stay as they are where their row stays. */
  kept?: string
  /** Why a table keeps what it has, where one could wonder. */
  because?: string
}

const ofTask = ({ taskIds }: OfTasks) => sql`task_id = any(${taskIds}::bigint[])`
const ofUser = ({ driverId }: OfDriver) => sql`user_id = ${driverId}`
const byDriver = ({ driverId }: OfDriver) => sql`driver_id = ${driverId}`

/** How near to an address a position is one of the customer, too. */
const nearMetres = 200

/**
 * Positions that the driver reported at the address, from the start of the task to half an hour after its end. By key, so
 * that only those of the driver in that time are looked at.
 */
const atTheAddress = ({ organisationId, taskIds }: OfTasks) => sql`(driver_id, occurred_at) in (
  select l.driver_id, l.occurred_at from tasks t
  join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
  join locations l on l.organisation_id = t.organisation_id and l.driver_id = t.user_id
    and l.occurred_at between
      coalesce(case when t.started_at <= coalesce(t.completed_at, now()) then t.started_at end, t.completed_at - interval '1 hour')
      and coalesce(t.completed_at, now()) + interval '30 minutes'
  where t.organisation_id = ${organisationId} and t.id = any(${taskIds}::bigint[])
    and abs(l.lat - a.lat) < ${raw(String(nearMetres / 111_000))}
    and abs(l.lng - a.lng) * cos(radians(a.lat)) < ${raw(String(nearMetres / 111_000))})`

/** What the driver has sent, and the picture that the office has chosen, unless it is somebody else's too. */
export const picturesOf = ({
  organisationId,
  driverId,
}: OfDriver) => sql`(user_id = ${driverId} and task_id is null or id = (
  select substring(u.avatar from '^/files/([0-9a-f-]{36})$')::uuid from users u
  where u.organisation_id = ${organisationId} and u.id = ${driverId}
    and not exists (
      select from users other
      where other.organisation_id = ${organisationId} and other.avatar = u.avatar and other.id <> u.id)
    and not exists (select from organisations where id = ${organisationId} and logo = u.avatar)))`

/** Nothing without a text, or a recipient, is sent. */
const dropped = {
  state: `case when state = 'waiting' then 'dropped' else state end`,
  reason: `case when state = 'waiting' then 'erased' else reason end`,
  ended_at: `case when state = 'waiting' then now() else ended_at end`,
}

/** Attempts to deliver the events of tasks, whatever has become of the webhook. */
const attemptsOf = ({ organisationId, taskIds }: OfTasks) => sql`(webhook_id, event_id) in (
  with recursive known (webhook_id) as (
    select min(webhook_id) from attempts where organisation_id = ${organisationId}
    union all
    select (select min(webhook_id) from attempts
      where organisation_id = ${organisationId} and webhook_id > known.webhook_id)
    from known where known.webhook_id is not null
  )
  select known.webhook_id, e.id from known, events e
  where e.organisation_id = ${organisationId} and e.task_id = any(${taskIds}::bigint[]))`

/** In the order in which they are treated: what others are found by comes after them. */
export const treatments: Record<string, Treatment> = {
  locations: {
    ofTasks: { rows: atTheAddress, isDeleted: true },
    ofDriver: { rows: byDriver, isDeleted: true },
    kept: 'organisation_id driver_id occurred_at lat lng accuracy_metres speed_metres_per_second heading battery',
  },
  attempts: {
    ofTasks: { rows: attemptsOf, cleared: 'error answer' },
    kept: 'organisation_id webhook_id event_id number outcome status duration_ms attempted_at',
  },
  events: {
    ofTasks: { rows: ofTask, cleared: 'lat lng' },
    rewritten: 'task previous remark driver actor_name',
    kept: 'organisation_id id task_id sequence trigger_id snapshot_id awb user_id from_status_id to_status_id actor_type actor_id occurred_at recorded_at synced_by',
  },
  messages: {
    ofTasks: {
      rows: ofTask,
      emptied: 'recipient subject body',
      cleared: 'error',
      replaced: { facts: `'{}'`, ...dropped },
    },
    // A text may name the driver. What still waits may be about another one, who has the task now.
    ofDriversTasks: {
      rows: ({ taskIds, names }) => sql`task_id = any(${taskIds}::bigint[]) and (state <> 'waiting' or exists (
        select from unnest(${names.map(firstNameOf)}::text[]) as told (name)
        where name <> '' and position(name in subject || ' ' || body) > 0))`,
      emptied: 'subject body',
      replaced: dropped,
    },
    kept: 'organisation_id id task_id cause occasion channel language attempts attempts_before claim due_at expires_at occurred_at created_at quiet_until',
  },
  conflicts: {
    ofTasks: {
      rows: ofTask,
      emptied: 'message',
      cleared: 'note',
      // What was done, and the money; not where, nor what was written.
      replaced: {
        op: `jsonb_strip_nulls(jsonb_build_object('type', op -> 'type', 'taskId', op -> 'taskId', 'amount', op -> 'amount',
          'method', op -> 'method', 'reasonCode', op -> 'reasonCode'))`,
      },
    },
    kept: 'organisation_id id user_id task_id op_id code occurred_at recorded_at settled_at applied settled_by settled_after_event_id',
  },
  ops: {
    ofTasks: {
      rows: ({ taskIds }) => sql`answer ? 'error' and task_id = any(${taskIds}::bigint[])`,
      replaced: { answer: `jsonb_set(answer, '{error,message}', '""')` },
    },
    kept: 'organisation_id user_id op_id type task_id digest occurred_at recorded_at sequence',
  },
  scans: {
    ofTasks: { rows: ofTask, isDeleted: true },
    kept: 'organisation_id id code at result task_id user_id day actor_type actor_id occurred_at recorded_at',
    because: 'A code that belongs to no task is kept for 30 days; which driver scanned what is work done',
  },
  notes: {
    ofTasks: { rows: ofTask, cleared: 'note image' },
    kept: 'organisation_id id task_id user_id type created_at updated_at file_id seen_at by_partners_driver',
  },
  payments: {
    ofTasks: { rows: ofTask, cleared: 'note' },
    kept: 'organisation_id id task_id user_id amount amount_hundredths method occurred_at recorded_at collected_by collected_for',
  },
  // The bytes go with them (leftovers). The row stays, so that bytes that come later are not taken for new ones.
  files: {
    ofTasks: { rows: ofTask, cleared: 'store_key sha256 type bytes width height' },
    ofDriver: { rows: picturesOf, cleared: 'store_key sha256 type bytes width height' },
    kept: 'organisation_id id user_id task_id unused_since created_at',
  },
  shared_files: { kept: 'organisation_id file_id copy_id' },
  proof_link_tasks: {
    ofTasks: { rows: ofTask, isDeleted: true },
    kept: 'organisation_id link_id task_id place',
  },
  // Written again with what is left of the task (erase.ts).
  task_words: { ofTasks: { rows: ofTask, isDeleted: true }, kept: 'organisation_id task_id word' },
  addresses: {
    ofTasks: {
      rows: ofTask,
      emptied: 'address',
      cleared:
        'address_second_line city area street_number street_name postal_code lat lng precision precision_detail found_parts geocode_at geocode_problem',
    },
    kept: 'organisation_id task_id id country geocode_attempts',
  },
  // Known by a hash of the address; the task is the last one it was learned from, or used for.
  learned_places: {
    ofTasks: { rows: ofTask, isDeleted: true },
    kept: 'organisation_id address_hash lat lng is_by_person seen task_id updated_at',
    because: 'Where a house is; which driver was there is not kept',
  },
  tasks: {
    ofTasks: {
      rows: ({ taskIds }) => sql`id = any(${taskIds}::bigint[])`,
      emptied: 'details',
      cleared:
        'customer_id customer_notes inventory mobile_task_form cancel_reason eta_text last_lat last_lng instructions fulfiller_phone',
      replaced: {
        custom_fields: `'[]'`,
        // What customers thought still counts.
        feedback: `jsonb_set(feedback, '{comment}', '""')`,
        erased_at: `date_trunc('milliseconds', now())`,
      },
    },
    ofDriversTasks: {
      rows: ({ taskIds, names }) => sql`id = any(${taskIds}::bigint[]) and fulfiller_driver = any(${names}::text[])`,
      cleared: 'fulfiller_driver fulfiller_phone',
    },
    kept: 'organisation_id id awb uuid status_id user_id total_price left_to_be_paid delivery_price total_price_hundredths left_to_be_paid_hundredths delivery_price_hundredths collect_payment payment_type_id quantity priority service_minutes complete_after complete_before pickup_task send_notifications route eta_seconds sent_eta driver_arrived will_be_delayed delayed started_at arrived_at completed_at last_sequence created_at updated_at deleted_at team_id route_position accepted_at planned_at form_id cancel_reason_code eta_at arrival_taken_back owner_id owner_task_id fulfiller_id fulfiller_task_id messages_by chain_awbs attempt attempt_of reattempted_as return_of returned_as earlier_awbs schedule_id schedule_changed at_hub_at loaded_at closed_at',
  },
  // Those that no task refers to any more; deleted after their tasks (erase.ts).
  customers: {
    rewritten:
      'organisation_id id name phone email address address_second_line lat lng created_at updated_at typed_phone geocode_at geocode_attempts geocode_problem',
  },
  // Found by the address, which is only there as a hash.
  geocodings: { rewritten: 'organisation_id geocoder address_hash lat lng precision precision_detail expires_at' },
  // Answers that show an erased task become a refusal.
  kept_answers: { rewritten: 'answer', kept: 'organisation_id caller key fingerprint created_at' },
  proof_links: {
    kept: 'organisation_id id hash created_by created_at expires_at revoked_at',
    because: 'A link without tasks leads nowhere; who made it works in the office',
  },

  users: {
    ofDriver: {
      rows: ({ driverId }) => sql`id = ${driverId}`,
      emptied: 'phone',
      cleared:
        'email avatar shift_start shift_end lunch_start lunch_end lunch_minutes duty_started_at duty_ended_at first_signed_in_at',
      replaced: { shift_times: `'[]'`, name: `'Former driver ' || id`, erased_at: `date_trunc('milliseconds', now())` },
    },
    kept: 'organisation_id id is_driver is_admin in_shift created_at updated_at deleted_at is_dispatcher is_super_admin active has_dismissed_intro transportation_id',
  },
  driver_positions: {
    ofDriver: { rows: byDriver, isDeleted: true },
    kept: 'organisation_id driver_id lat lng heading speed_metres_per_second accuracy_metres occurred_at recorded_at',
  },
  push_subscriptions: {
    ofDriver: {
      rows: ({ organisationId, driverId }) => sql`device_id in (
        select id from driver_tokens where organisation_id = ${organisationId} and user_id = ${driverId})`,
      isDeleted: true,
    },
    kept: 'organisation_id device_id endpoint p256dh auth updated_at news_event_id told_event_id due_at attempts called_at',
  },
  driver_tokens: {
    ofDriver: { rows: ofUser, isDeleted: true },
    kept: 'organisation_id id user_id hash created_at name version battery pending last_seen_at device_key_hash',
  },
  invitations: {
    ofDriver: { rows: ofUser, isDeleted: true },
    kept: 'organisation_id id user_id hash tries_left expires_at secret_hash wrong_from try_hash device_id',
  },
  followed_drivers: {
    ofDriver: { rows: byDriver, isDeleted: true },
    kept: 'organisation_id driver_id followed_at',
  },
  known_callers: {
    ofDriver: { rows: ofUser, isDeleted: true },
    kept: 'organisation_id user_id hash is_device last_at',
  },
  sessions: {
    ofDriver: { rows: ofUser, isDeleted: true },
    kept: 'organisation_id id user_id hash created_at last_used_at',
  },
  sign_in_links: { ofDriver: { rows: ofUser, isDeleted: true }, kept: 'organisation_id user_id hash expires_at' },
  logins: {
    ofDriver: { rows: ofUser, isDeleted: true },
    kept: 'organisation_id user_id email password created_at updated_at',
  },
  // What was noted when their cash was counted; lines and amounts stay, the name goes with the driver.
  cash_notes: {
    ofDriver: {
      rows: ({ organisationId, driverId }) => sql`line_id in (
        select id from cash_lines where organisation_id = ${organisationId} and user_id = ${driverId})`,
      emptied: 'note',
    },
    kept: 'organisation_id line_id',
  },
  absences: {
    ofDriver: { rows: byDriver, isDeleted: true },
    kept: 'organisation_id id driver_id from_day to_day reason created_at',
  },
  team_drivers: { ofDriver: { rows: ofUser, isDeleted: true }, kept: 'organisation_id team_id user_id' },

  message_opt_outs: {
    kept: 'organisation_id address opted_out_at',
    because: 'Forgetting it would bring the messages back; the address is a hash',
  },
  audit_log: {
    kept: 'organisation_id at id kind actor_type actor_id address agent subject_type subject_id changes count',
    because: 'It names fields instead of personal values, and is never changed; it ages as a whole',
  },
  audit_failures: { kept: 'organisation_id kind subject_type subject_id hour count' },
  erasures: {
    kept: 'organisation_id id receipt reason actor_type actor_id hours driver_id task_ids waiting counts created_at finished_at is_repeated filed_at',
    because: 'The proof that something was erased',
  },
  dead_deliveries: { kept: 'organisation_id webhook_id event_id attempts reason died_at' },
  deliveries: { kept: 'organisation_id webhook_id event_id receiver_id task_id sequence attempts due_at claim lane' },
  // What was learned from the tracks of all is learned anew without theirs.
  learned_speeds: {
    ofDriver: { rows: () => sql`true`, isDeleted: true },
    kept: 'organisation_id transportation_id hour factor count',
  },
  speed_lessons: {
    ofDriver: { rows: () => sql`true`, isDeleted: true },
    kept: 'organisation_id claimed_at learned_at seen',
  },
  driver_days: {
    kept: 'organisation_id driver_id day stops stop_seconds driven_metres',
    because: 'Sums of a day, without a place; the driver has no name any more',
  },
  counted_days: { kept: 'organisation_id claimed_at last_day' },
  left_tasks: { kept: 'organisation_id task_id reason tried_at' },
  cash_lines: {
    kept: 'organisation_id id user_id day of_day kind method hundredths payment_id task_id counted_by occurred_at recorded_at',
    because: 'Amounts and days; money has to add up',
  },
  cash_close_outs: {
    kept: 'organisation_id user_id day line_id cash_hundredths handed_in_hundredths closed_at',
    because: 'Amounts and days; money has to add up',
  },
  cash_progress: { kept: 'organisation_id payment_id' },
  delegation_progress: { kept: 'organisation_id event_id' },
  dependencies: { kept: 'organisation_id task_id depends_on_id' },
  event_counters: { kept: 'organisation_id last_event_id' },
  forms: { kept: 'organisation_id id name fields is_default created_at updated_at' },
  geocoder_turns: { kept: 'organisation_id geocoder next_at' },
  hubs: {
    kept: 'organisation_id id name lat lng city state country street_number street_name postal_code apartment created_at updated_at address precision',
  },
  keys: {
    kept: 'organisation_id id name hash scopes created_at last_used_at expires_at revoked_at replaced_by',
  },
  due_returns: { kept: 'organisation_id task_id' },
  leaving_tasks: { kept: 'organisation_id task_id at_once' },
  leftovers: { kept: 'organisation_id store_key due_at' },
  map_imports: {
    kept: 'id state name source source_bytes map_date began_at finished_at west south east north made files',
    because: 'OpenStreetMap, the same for everybody',
  },
  message_days: { kept: 'organisation_id day sent' },
  message_texts: { kept: 'organisation_id cause language subject body updated_at' },
  migrations: { kept: 'name checksum applied_at' },
  organisations: {
    kept: 'id name logo email phone country timezone currency settings created_at updated_at settings_changed_at first_steps shift_times',
  },
  partners: { kept: 'organisation_id partner_id agreed_at they_agreed_at company user_id' },
  password_tries: { kept: 'account source is_stranger wrong next_at forget_at', because: 'Hashes, for a day' },
  promises: { kept: 'organisation_id task_id promised_at eta_at arrived_at' },
  push_keys: { kept: 'is_only public_key private_key' },
  push_progress: { kept: 'organisation_id event_id' },
  rate_buckets: { kept: 'name tokens filled_at' },
  reasons: {
    kept: 'organisation_id id code label labels photo_required note_required created_at updated_at deleted_at',
  },
  receivers: { kept: 'organisation_id id url secret created_at previous_secret previous_secret_until' },
  register_own: {
    kept: 'is_only register_id places imported_at',
    because: 'Addresses of the map or of a public list, without people',
  },
  register_own_places: {
    kept: 'key street number city area postal_code country lat lng',
    because: 'Addresses of the map or of a public list, without people',
  },
  register_places: {
    kept: 'register_id id name other_names kind population country lat lng area_ids',
    because: 'Addresses of the map or of a public list, without people',
  },
  register_postings: {
    kept: 'register_id word_id place_id street_id',
    because: 'Addresses of the map or of a public list, without people',
  },
  register_spellings: {
    kept: 'register_id form word_id',
    because: 'Addresses of the map or of a public list, without people',
  },
  register_streets: {
    kept: 'register_id id name other_names place_id area_id also_in postal_code lat lng reach_metres house_count line houses',
    because: 'Addresses of the map or of a public list, without people',
  },
  register_words: {
    kept: 'register_id id word street_count place_ids',
    because: 'Addresses of the map or of a public list, without people',
  },
  // Regular work goes on, like a task that is open: an erasure names it (erasure/actions), and its tasks are erased as tasks are.
  schedules: {
    kept: 'organisation_id id name task repeats start_time end_time from_day until_day count skips skip_holidays days_ahead awb_prefix is_paused due_at problem created_at updated_at',
    because: 'Work that is still to be done; it is named to whoever erases, and goes when it is deleted',
  },
  schedule_days: { kept: 'organisation_id schedule_id day task_id made_at' },
  task_templates: {
    kept: 'organisation_id id name task created_at updated_at',
    because: 'Named to whoever erases, and gone when it is deleted',
  },
  holidays: { kept: 'organisation_id id day name is_working_day created_at' },
  server_address: { kept: 'is_only address' },
  teams: { kept: 'organisation_id id name hub_id created_at updated_at' },
  told_arrivals: { kept: 'organisation_id device_id number arrivals' },
  undo_steps: { kept: 'organisation_id id undo_id tasks created_at', because: 'Whose tasks were, for an hour' },
  word_progress: { kept: 'organisation_id task_id' },
  webhooks: {
    kept: 'organisation_id id receiver_id trigger_id verification is_enabled created_at updated_at consecutive_failures failing_since disabled_reason',
  },
}

export const namesIn = (list = '') => list.split(' ').filter(Boolean)

/** The statement that a change of a table comes to. */
export function statementOf<Scope extends { organisationId: number }>(
  name: string,
  { rows, isDeleted, cleared, emptied, replaced = {} }: Change<Scope>,
  scope: Scope,
): Sql {
  const where = sql`where organisation_id = ${scope.organisationId} and ${rows(scope)}`
  if (isDeleted) return sql`delete from ${raw(name)} ${where}`
  const sets = [
    ...namesIn(cleared).map((column) => `${column} = null`),
    ...namesIn(emptied).map((column) => `${column} = ''`),
    ...Object.entries(replaced).map(([column, value]) => `${column} = ${value}`),
  ]
  return sql`update ${raw(name)} set ${raw(sets.join(', '))} ${where}`
}
