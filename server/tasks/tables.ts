import type { Company } from '../../contract/company.ts'
import type { PaymentMethod } from '../../contract/payment.ts'
import type { PlannedStop, Task } from '../../contract/task.ts'
import type { Side } from '../../core/delegation.ts'
import type { StatusId } from '../../core/task-status.ts'
import { type JsonRow, type Known, type Row, table } from '../db/table.ts'
import type { FoundParts } from '../outside/geocoders/geocoder.ts'

export const tasks = table('tasks', {
  organisation_id: 'bigint',
  id: 'bigint',
  awb: 'text',
  uuid: 'text',
  status_id: 'smallint',
  user_id: 'bigint?',
  customer_id: 'bigint?',
  details: 'text',
  customer_notes: 'text?',
  total_price: 'integer?',
  left_to_be_paid: 'integer?',
  delivery_price: 'integer?',
  collect_payment: 'boolean',
  payment_type_id: 'smallint',
  quantity: 'integer?',
  priority: 'integer',
  service_minutes: 'integer?',
  complete_after: 'timestamptz?',
  complete_before: 'timestamptz?',
  pickup_task: 'boolean',
  inventory: 'jsonb?',
  custom_fields: 'jsonb',
  send_notifications: 'boolean',
  mobile_task_form: 'text?',
  cancel_reason: 'text?',
  route: 'jsonb?',
  // Unused, like eta_text: processes of the previous version still name them.
  eta_seconds: 'integer',
  eta_text: 'text?',
  sent_eta: 'boolean',
  driver_arrived: 'boolean',
  will_be_delayed: 'boolean',
  delayed: 'boolean',
  started_at: 'timestamptz?',
  arrived_at: 'timestamptz?',
  completed_at: 'timestamptz?',
  last_sequence: 'integer',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  deleted_at: 'timestamptz?',
  team_id: 'bigint?',
  route_position: 'integer?',
  accepted_at: 'timestamptz?',
  planned_at: 'timestamptz?',
  form_id: 'bigint?',
  feedback: 'jsonb?',
  cancel_reason_code: 'text?',
  eta_at: 'timestamptz?',
  last_lat: 'double precision?',
  last_lng: 'double precision?',
  instructions: 'jsonb?',
  arrival_taken_back: 'boolean',
  erased_at: 'timestamptz?',
  total_price_hundredths: 'smallint',
  left_to_be_paid_hundredths: 'smallint',
  delivery_price_hundredths: 'smallint',
  owner_id: 'bigint?',
  owner_task_id: 'bigint?',
  fulfiller_id: 'bigint?',
  fulfiller_task_id: 'bigint?',
  fulfiller_driver: 'text?',
  fulfiller_phone: 'text?',
  chain_awbs: 'jsonb?',
  messages_by: 'text?',
  at_hub_at: 'timestamptz?',
  loaded_at: 'timestamptz?',
  attempt: 'smallint',
  attempt_of: 'bigint?',
  reattempted_as: 'bigint?',
  return_of: 'bigint?',
  returned_as: 'bigint?',
  earlier_awbs: 'jsonb?',
  schedule_id: 'bigint?',
  schedule_changed: 'boolean',
  closed_at: 'timestamptz?',
})
/** What the customer of a task said about it. */
export interface GivenFeedback {
  rating: number
  comment: string
  at: string
}

export type TaskRow = Known<
  Row<typeof tasks>,
  {
    status_id: StatusId
    route: PlannedStop | null
    custom_fields: Task['customFields']
    feedback: GivenFeedback | null
    instructions: string[] | null
    chain_awbs: string[] | null
    earlier_awbs: string[] | null
    messages_by: Side | null
  }
>

export const addresses = table('addresses', {
  organisation_id: 'bigint',
  task_id: 'bigint',
  id: 'bigint',
  address: 'text',
  address_second_line: 'text?',
  city: 'text?',
  area: 'text?',
  country: 'text',
  street_number: 'text?',
  street_name: 'text?',
  postal_code: 'text?',
  lat: 'double precision?',
  lng: 'double precision?',
  precision: 'text?',
  precision_detail: 'text?',
  found_parts: 'jsonb?',
  geocode_at: 'timestamptz?',
  geocode_attempts: 'integer',
  geocode_problem: 'text?',
})
export type AddressRow = Known<Row<typeof addresses>, { found_parts: FoundParts | null }>

export const customers = table('customers', {
  organisation_id: 'bigint',
  id: 'bigint',
  name: 'text',
  phone: 'text?',
  email: 'text?',
  address: 'text?',
  address_second_line: 'text?',
  lat: 'double precision?',
  lng: 'double precision?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  typed_phone: 'text?',
  geocode_at: 'timestamptz?',
  geocode_attempts: 'integer',
  geocode_problem: 'text?',
})
export type CustomerRow = Row<typeof customers>

export const dependencies = table('dependencies', {
  organisation_id: 'bigint',
  task_id: 'bigint',
  depends_on_id: 'bigint',
})

/** Failed tasks whose parcels are to be brought back by themselves. */
export const dueReturns = table('due_returns', { organisation_id: 'bigint', task_id: 'bigint' })

export const notes = table('notes', {
  organisation_id: 'bigint',
  id: 'bigint',
  task_id: 'bigint',
  user_id: 'bigint',
  type: 'smallint',
  note: 'text?',
  image: 'text?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  file_id: 'uuid?',
  seen_at: 'timestamptz?',
  by_partners_driver: 'boolean',
})

export type NoteRow = Row<typeof notes>

export const payments = table('payments', {
  organisation_id: 'bigint',
  id: 'bigint',
  task_id: 'bigint',
  user_id: 'bigint',
  amount: 'integer',
  method: 'text',
  note: 'text?',
  occurred_at: 'timestamptz',
  recorded_at: 'timestamptz',
  amount_hundredths: 'smallint',
  collected_by: 'bigint?',
  collected_for: 'bigint?',
})
export type PaymentRow = Known<Row<typeof payments>, { method: PaymentMethod }>

/** The fields of its driver that a task shows. */
export interface DriverView {
  id: number
  name: string
  avatar: string | null
  email: string | null
  phone: string
  in_shift: boolean
  status: number
  is_erased: boolean
}

/** A note and who wrote it. */
export type NoteView = (NoteRow | JsonRow<typeof notes>) & {
  author: { id: number; name: string; avatar: string | null; is_driver: boolean }
}

/** A task with its related records, read by one statement. */
export type TaskView = TaskRow & {
  address: Known<JsonRow<typeof addresses>, { found_parts: FoundParts | null }>
  customer: CustomerRow | JsonRow<typeof customers> | null
  driver: DriverView | null
  team: { id: number; name: string } | null
  /** Where the driver of an open task was seen last. */
  seen: { lat: number; lng: number } | null
  /** The newest, and how many older ones there are. */
  notes: NoteView[]
  notes_left_out: number
  dependencies: { task_id: number; awb: string; status_id: StatusId }[]
  /** Those it was taken from or given to, by their ids, if there are any. */
  partners: Record<number, Company> | null
  /** The other tries of it, and its returns, by their ids, if there are any. */
  tries: Record<number, { awb: string; status_id: StatusId }> | null
}
