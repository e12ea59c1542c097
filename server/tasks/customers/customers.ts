import { Refusal } from '../../../contract/errors.ts'
import type { CustomerInput } from '../../../contract/task.ts'
import { readPhone } from '../../../core/phone.ts'
import { fold } from '../../../core/search.ts'
import type { Db } from '../../db/db.ts'
import type { Organisation } from '../../organisations/queries.ts'
import type { CustomerRow, TaskView } from '../tables.ts'
import { completeCustomers, insertCustomers, type NewCustomer, saveOwnCustomers } from './queries.ts'

/*
 * Tasks with the same possible phone and name have the same customer and share one record. Without a possible phone we
 * cannot know, so the record belongs to one task. An impossible phone is kept as typed.
 *
 * What a partner tells of somebody belongs to the shared task alone, too, and so does what is said of them there later: what
 * either side knows of the same person from other tasks is neither shown to the other nor changed by it. Their number stands
 * where a typed one does, so such a record is found by nobody who looks for the phone and name.
 */

type Customer = NonNullable<TaskView['customer']>

/** The phone as people see it. */
export const phoneOf = ({ phone, typed_phone }: Pick<Customer, 'phone' | 'typed_phone'>) => phone ?? typed_phone ?? ''

/** The number that can be dialled, in E.164. Typed ones were read when they were typed; what is left are those of partners. */
export const dialled = ({ phone, typed_phone }: Pick<Customer, 'phone' | 'typed_phone'>) =>
  phone ?? readPhone(typed_phone ?? '', '') ?? null

/** Whether what is said of the customer stays with this task, because a partner has said something, or may. */
export const isOfSharedTask = ({ owner_id, customer }: Pick<TaskView, 'owner_id' | 'customer'>) =>
  owner_id !== null || (customer !== null && customer.phone === null && dialled(customer) !== null)

const parts = ['email', 'address', 'address_second_line', 'lat', 'lng'] as const
const texts = ['email', 'address', 'address_second_line'] as const

/**
 * A task's customer after an input. Parts that are not given stay as in `before`; null if nothing is left. `isAlone`: the
 * record belongs to the task, whatever the phone.
 */
export function draftCustomer(
  input: CustomerInput,
  { country }: Organisation,
  before: Customer | null = null,
  isAlone = false,
): NewCustomer | null {
  const typed = input.phone?.trim() ?? (before ? phoneOf(before) : '')
  const number = readPhone(typed, country)
  const phone = isAlone ? null : (number ?? null)
  const keep = <Value>(given: Value | undefined, was: Value | undefined) =>
    given === undefined ? (was ?? null) : given
  const draft = {
    name: input.name?.trim() ?? before?.name ?? '',
    phone,
    typed_phone: phone === null ? (number ?? typed) : null,
    email: keep(input.email, before?.email),
    address: keep(input.address, before?.address),
    address_second_line: keep(input.addressSecondLine, before?.address_second_line),
    has_email: input.email !== undefined,
    has_address: input.address !== undefined,
    has_address_second_line: input.addressSecondLine !== undefined,
    ...readPoint(input, before),
  }
  const isSomebody = [draft.name, typed, ...texts.map((part) => draft[part])].some((text) => text?.trim())
  return isSomebody ? draft : null
}

/** Where the customer is: as given, or as before, unless their address is another one now. */
function readPoint({ lat, lng, address }: CustomerInput, before: Customer | null) {
  if (lat === undefined && lng === undefined) {
    const hasMoved = address !== undefined && address !== (before?.address ?? null)
    return {
      lat: hasMoved ? null : (before?.lat ?? null),
      lng: hasMoved ? null : (before?.lng ?? null),
      has_point: false,
    }
  }
  if ((lat ?? null) === null && (lng ?? null) === null) return { lat: null, lng: null, has_point: true }
  const missing = lat == null ? 'lat' : lng == null ? 'lng' : undefined
  if (missing !== undefined) {
    const message = `customer.${missing} is missing; give both customer.lat and customer.lng, or neither`
    throw new Refusal('VALIDATION_FAILED', { field: `customer.${missing}`, message })
  }
  return { lat: lat as number, lng: lng as number, has_point: true }
}

/** The same text, whatever its letter case and accents. */
const isSameText = (one: string, other: string) => fold(one).trim() === fold(other).trim()

/** Where a place is that is known, for a customer whose address is the same text, and of whom it is not known. */
export function pointFor(
  { address, lat }: Pick<NewCustomer, 'address' | 'lat'>,
  place: { address: string; lat: number | null; lng: number | null },
) {
  if (lat !== null || place.lat === null || !address?.trim() || !isSameText(address, place.address)) return undefined
  return { lat: place.lat, lng: place.lng }
}

/** A customer with the point of their task, if that is where they live. */
export function placedAt(draft: NewCustomer | null, place: Parameters<typeof pointFor>[1]): NewCustomer | null {
  const point = draft && !draft.has_point && pointFor(draft, place)
  return point ? { ...draft, ...point } : draft
}

const keyOf = ({ phone, name }: Pick<NewCustomer, 'phone' | 'name'>) => JSON.stringify([phone, name])

/** Two drafts of one person: what the later one gives wins. */
const merge = (earlier: NewCustomer, later: NewCustomer): NewCustomer => ({
  ...later,
  ...(!later.has_email && { email: earlier.email, has_email: earlier.has_email }),
  ...(!later.has_address && { address: earlier.address, has_address: earlier.has_address }),
  ...(!later.has_point && !later.has_address && { lat: earlier.lat, lng: earlier.lng, has_point: earlier.has_point }),
  ...(!later.has_address_second_line && {
    address_second_line: earlier.address_second_line,
    has_address_second_line: earlier.has_address_second_line,
  }),
})

/** The record of each draft, inserted or completed where needed. */
export async function saveCustomers(
  db: Db,
  organisationId: number,
  drafts: readonly NewCustomer[],
): Promise<Map<NewCustomer, CustomerRow>> {
  const strangers = drafts.filter(({ phone }) => phone === null)
  const people = new Map<string, NewCustomer>()
  for (const draft of drafts) {
    const earlier = people.get(keyOf(draft))
    if (draft.phone !== null) people.set(keyOf(draft), earlier ? merge(earlier, draft) : draft)
  }
  const inserted = strangers.length > 0 ? await insertCustomers(db, organisationId, strangers) : []
  const completed = people.size > 0 ? await completeCustomers(db, organisationId, [...people.values()]) : []
  const known = new Map(completed.map((row) => [keyOf(row), row]))
  const own = inserted.values()
  return new Map(
    drafts.map((draft) => [draft, (draft.phone === null ? own.next().value : known.get(keyOf(draft))) as CustomerRow]),
  )
}

/** A task's customer as it was, and as an update has it. */
interface ChangedCustomer {
  before: Customer | null
  draft: NewCustomer
}

/**
 * The record of each task's customer after an update. Another phone or name needs another record, because the old one
 * may be shared. A record without a possible phone belongs to one task, unless it is older than this rule.
 */
export async function changeCustomers(
  db: Db,
  organisationId: number,
  changed: readonly ChangedCustomer[],
): Promise<Map<NewCustomer, Customer>> {
  const records = new Map<NewCustomer, Customer>()
  const own: { id: number; draft: NewCustomer }[] = []
  const others: NewCustomer[] = []
  for (const { before, draft } of changed) {
    const isSameName = before?.name === draft.name
    if (
      before &&
      isSameName &&
      phoneOf(before) === phoneOf(draft) &&
      parts.every((part) => before[part] === draft[part])
    )
      records.set(draft, before)
    else if (before && isSameName && before.phone === null && before.typed_phone === draft.typed_phone)
      own.push({ id: before.id, draft })
    else others.push(draft)
  }
  const saved = others.length > 0 ? await saveCustomers(db, organisationId, others) : []
  const written = new Map(own.map(({ id, draft }) => [id, { ...draft, id }]))
  const stored = written.size > 0 ? await saveOwnCustomers(db, organisationId, [...written.values()]) : []
  const kept = new Map(stored.map((row) => [row.id, row]))
  const stayed = own.map(({ id, draft }): [NewCustomer, Customer] => [draft, kept.get(id) as CustomerRow])
  return new Map([...records, ...saved, ...stayed])
}

/** A customer as a partner is told of them. */
export const copyOf = (customer: Customer): NewCustomer => ({
  name: customer.name,
  phone: null,
  typed_phone: phoneOf(customer),
  email: customer.email,
  address: customer.address,
  address_second_line: customer.address_second_line,
  lat: customer.lat,
  lng: customer.lng,
  has_email: true,
  has_address: true,
  has_address_second_line: true,
  has_point: true,
})

const told = ['name', 'typed_phone', ...texts] as const

/**
 * What a partner's task says of its customer after a change of ours, if that concerns it. What has not changed here stays as
 * it is known there. Where a customer is who is in other tasks of theirs, they find for themselves.
 */
export function followCustomer(theirs: Customer | null, was: Customer | null, is: Customer): NewCustomer | undefined {
  const copy = copyOf(is)
  if (!theirs || !was) return copy
  const [before, there] = [copyOf(was), copyOf(theirs)]
  const changed = told.filter((part) => copy[part] !== before[part])
  const isElsewhere = copy.address !== before.address || copy.lat !== before.lat || copy.lng !== before.lng
  const followed = {
    ...there,
    ...Object.fromEntries(changed.map((part) => [part, copy[part]])),
    ...(isElsewhere && { lat: copy.lat, lng: copy.lng }),
  }
  const isOther = told.some((part) => followed[part] !== there[part])
  const isMoved = followed.lat !== there.lat || followed.lng !== there.lng
  return isOther || (isMoved && theirs.phone === null) ? followed : undefined
}
