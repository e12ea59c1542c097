import { randomBytes, randomInt } from 'node:crypto'
import { type ErrorDetail, Refusal } from '../../contract/errors.ts'
import { refusalOf } from '../../contract/schema.ts'
import type { AddressInput, CustomerInput, TaskInput } from '../../contract/task.ts'
import { readPhone } from '../../core/phone.ts'
import { moves } from '../../core/task-status.ts'
import { readTime } from '../../core/time.ts'
import type { Organisation } from '../organisations/queries.ts'
import type { NewAddress, NewCustomer, NewTask } from './queries.ts'

/** A task that is ready to be stored but for its ids. */
export interface Draft {
  task: Omit<NewTask, 'id' | 'customer_id'>
  address: Omit<NewAddress, 'task_id'>
  customer: NewCustomer | null
  /** Whether we chose the awb, and may choose another if it is taken. */
  hasOwnAwb: boolean
}

/** Turns what a client sent into rows, by the rules of the organisation, or refuses it. */
export function draftTask(input: TaskInput, organisation: Organisation, now: Date): Draft {
  const problems: ErrorDetail[] = []
  const address = draftAddress(input.address, organisation, problems)
  const window = readWindow(input, organisation, problems)
  if (problems.length > 0) throw refusalOf(problems)

  const totalPrice = input.totalPrice ?? null
  const collectPayment = input.collectPayment ?? (totalPrice ?? 0) > 0
  const { create } = moves
  return {
    task: {
      awb: input.awb ?? makeAwb(),
      uuid: randomBytes(16).toString('base64url'),
      status_id: create.to,
      details: input.details ?? '',
      customer_notes: input.customerNotes ?? null,
      total_price: totalPrice,
      left_to_be_paid: collectPayment ? totalPrice : null,
      delivery_price: input.deliveryPrice ?? null,
      collect_payment: collectPayment,
      payment_type_id: input.paymentTypeId ?? 1,
      quantity: input.quantity ?? null,
      priority: input.priority ?? 0,
      service_minutes: input.serviceTime ?? null,
      complete_after: window.after,
      complete_before: window.before,
      pickup_task: input.pickupTask ?? false,
      inventory: input.inventory ?? null,
      custom_fields: input.customFields ?? [],
      send_notifications: input.sendNotifications ?? true,
      last_sequence: create.fires.length,
      created_at: now,
      updated_at: now,
    },
    address,
    customer: draftCustomer(input.customer, organisation),
    hasOwnAwb: input.awb !== undefined,
  }
}

const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Ten characters that nobody misreads: no 0 and O, no 1 and I. */
export const makeAwb = () => `WB${Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')}`

function draftAddress(input: AddressInput, { country }: Organisation, problems: ErrorDetail[]): Draft['address'] {
  const { lat = null, lng = null } = input
  const address = input.address?.trim() || composeAddress(input)
  if ((lat === null) !== (lng === null)) {
    const field = lat === null ? 'address.lat' : 'address.lng'
    problems.push({ field, code: 'VALIDATION_FAILED', message: `${field} is required: lat and lng come together` })
  } else if (!address && lat === null) {
    const message = 'address needs a text (address, streetName or city), or lat and lng'
    problems.push({ field: 'address', code: 'VALIDATION_FAILED', message })
  }
  return {
    address,
    address_second_line: input.addressSecondLine ?? null,
    city: input.city ?? null,
    area: input.area ?? null,
    country: input.country?.toUpperCase() || country,
    street_number: input.streetNumber ?? null,
    street_name: input.streetName ?? null,
    postal_code: input.postalCode ?? null,
    lat,
    lng,
  }
}

/** "Strada Lipscani 12, Sector 3, 030031 București". Only a street or a city makes an address. */
function composeAddress({ streetName, streetNumber, area, postalCode, city }: AddressInput): string {
  if (!streetName?.trim() && !city?.trim()) return ''
  const line = (...parts: (string | null | undefined)[]) =>
    parts
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(' ')
  return [line(streetName, streetNumber), line(area), line(postalCode, city)].filter(Boolean).join(', ')
}

function readWindow(input: TaskInput, { timezone }: Organisation, problems: ErrorDetail[]) {
  const read = (field: 'completeAfter' | 'completeBefore') => {
    const text = input[field] ?? null
    if (text === null) return null
    const time = readTime(text, timezone)
    if (!time) {
      const message = `${field} must look like 2026-11-15 09:30:00 or 2026-11-15T09:30:00+02:00`
      problems.push({ field, code: 'INVALID_TIME', message })
    }
    return time ?? null
  }
  const after = read('completeAfter')
  const before = read('completeBefore')
  if (after && before && after > before)
    throw new Refusal('INVALID_TIME_WINDOW', {
      field: 'completeBefore',
      message: 'completeAfter is later than completeBefore',
    })
  return { after, before }
}

/** The same phone and name is the same person. A phone that cannot be one is kept as typed: people are reached by it. */
function draftCustomer(input: CustomerInput | null | undefined, { country }: Organisation): NewCustomer | null {
  if (!input || Object.values(input).every((value) => !value)) return null
  const typed = input.phone?.trim() ?? ''
  return {
    name: input.name?.trim() ?? '',
    phone: readPhone(typed, country) ?? typed,
    email: input.email ?? null,
    address: input.address ?? null,
    address_second_line: input.addressSecondLine ?? null,
  }
}
