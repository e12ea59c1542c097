import { randomBytes, randomInt } from 'node:crypto'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { refusalOf } from '../../../contract/read/refusal.ts'
import { awbsOf, type TaskInput } from '../../../contract/task.ts'
import { leftToPay } from '../../../core/money.ts'
import { settingsOf } from '../../../core/settings.ts'
import { moves } from '../../../core/task-status.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { type Address, draftAddress } from '../address.ts'
import { isDelayed, willBeDelayed } from '../arrival.ts'
import { draftCustomer, placedAt } from '../customers/customers.ts'
import type { NewCustomer } from '../customers/queries.ts'
import { checkPrices, priceColumns } from '../money.ts'
import type { NewTask } from '../queries.ts'
import { teamForbidden } from '../refusals.ts'
import { readWindow, requireOrderedWindow } from '../time-window.ts'

/** A task ready to be stored, except for what only the database knows: ids, and a place in the route. */
export interface Draft {
  task: Omit<NewTask, 'id' | 'customer_id' | 'route_position'>
  address: Address
  customer: NewCustomer | null
  dependsOn: readonly string[]
  /** Whether the client chose the AWB; a generated one can be replaced if it is taken. */
  hasOwnAwb: boolean
}

/** Turns a client's input into rows by the rules of the organisation, or refuses it. */
export function draftTask(
  input: TaskInput,
  organisation: Organisation,
  now: Date,
  scheduleId: number | null = null,
): Draft {
  const problems: ErrorDetail[] = []
  const address = draftAddress(input.address, organisation.country, problems)
  const { after = null, before = null } = readWindow(input, organisation, problems)
  checkPrices(input, organisation, problems)
  if (problems.length > 0) throw refusalOf(problems)
  requireOrderedWindow(after, before)

  const settings = settingsOf(organisation)
  const userId = input.userId ?? null
  const teamId = input.teamId ?? null
  if (!settings.enableTeamAssignment && teamId !== null && userId === null) throw teamForbidden()

  const awb = settings.enableAWB ? input.awb : undefined
  const move = userId === null ? moves.create : moves.createForDriver
  const totalPrice = input.totalPrice ?? null
  const collectPayment = input.collectPayment ?? (totalPrice ?? 0) > 0
  const begun = {
    status_id: move.to,
    user_id: userId,
    complete_before: before,
    route: null,
    driver_arrived: false,
    arrived_at: null,
    completed_at: null,
  }
  return {
    task: {
      awb: awb ?? makeAwb(),
      uuid: randomBytes(16).toString('base64url'),
      ...begun,
      team_id: teamId,
      details: input.details ?? '',
      customer_notes: input.customerNotes ?? null,
      ...priceColumns('total_price', totalPrice),
      ...priceColumns('left_to_be_paid', leftToPay({ totalPrice, collectPayment }, 0)),
      ...priceColumns('delivery_price', input.deliveryPrice ?? null),
      collect_payment: collectPayment,
      payment_type_id: input.paymentTypeId ?? 1,
      quantity: input.quantity ?? null,
      priority: input.priority ?? 0,
      service_minutes: input.serviceTime ?? null,
      complete_after: after,
      pickup_task: input.pickupTask ?? false,
      inventory: input.inventory ?? null,
      custom_fields: input.customFields ?? [],
      send_notifications: input.sendNotifications ?? true,
      sent_eta: false,
      cancel_reason: null,
      cancel_reason_code: null,
      will_be_delayed: willBeDelayed({ ...begun, eta_at: null }, now),
      delayed: isDelayed(begun, now),
      accepted_at: null,
      started_at: null,
      last_sequence: move.fires.length,
      created_at: now,
      updated_at: now,
      deleted_at: null,
      form_id: input.formId ?? null,
      schedule_id: scheduleId,
    },
    address,
    customer: placedAt(draftCustomer(input.customer ?? {}, organisation), address),
    dependsOn: awbsOf(input.dependencies),
    hasOwnAwb: awb !== undefined,
  }
}

const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Ten characters that are hard to misread: no 0 and O, no 1 and I. */
export const makeAwb = () => `WB${Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')}`
