import { certaintyOf } from '../../../core/certainty.ts'
import { shownStatus } from '../../../core/delegation.ts'
import type { Form, Task } from '../../api/data.ts'
import { partnersOf } from '../../tasks/partner.ts'
import type { Say, Word } from '../../words/console.ts'
import type { Table } from '../files/save.ts'
import type { Value } from '../files/xlsx-write.ts'
import { foundWords } from './found-words.ts'
import { wallSeconds } from './wall-time.ts'

interface Surroundings {
  say: Say
  moment: (time: string | null) => Value
  forms: readonly Pick<Form, 'id' | 'name'>[]
  /** The organisation whose list it is. */
  ownId: number | undefined
}

interface Column {
  word: Word
  value: (task: Task, to: Surroundings) => Value
}

/** The names are those an import recognises, so that an exported list can be edited and imported again. */
const columns: Column[] = [
  { word: 'awb', value: ({ awb }) => awb },
  {
    word: 'state',
    value: (task, { say }) => say(shownStatus(task) === task.statusId ? `state${task.statusId}` : 'stateWithPartner'),
  },
  { word: 'address', value: ({ address }) => address.address },
  { word: 'addressSecondLine', value: ({ address }) => address.addressSecondLine },
  { word: 'city', value: ({ address }) => address.city },
  { word: 'area', value: ({ address }) => address.area },
  { word: 'postalCode', value: ({ address }) => address.postalCode },
  { word: 'country', value: ({ address }) => address.country },
  { word: 'latitude', value: ({ address }) => address.lat },
  { word: 'longitude', value: ({ address }) => address.lng },
  { word: 'completeAfter', value: ({ completeAfter }, { moment }) => moment(completeAfter) },
  { word: 'completeBefore', value: ({ completeBefore }, { moment }) => moment(completeBefore) },
  { word: 'customerName', value: ({ customer }) => customer?.name ?? null },
  { word: 'customerPhone', value: ({ customer }) => customer?.phone ?? null },
  { word: 'customerEmail', value: ({ customer }) => customer?.email ?? null },
  { word: 'driver', value: ({ user, fulfillerDriver }) => user?.name ?? fulfillerDriver?.name ?? null },
  { word: 'team', value: ({ team }) => team?.name ?? null },
  { word: 'form', value: ({ formId }, { forms }) => forms.find(({ id }) => id === formId)?.name ?? null },
  { word: 'details', value: ({ details }) => details },
  { word: 'customerNotes', value: ({ customerNotes }) => customerNotes },
  { word: 'totalPrice', value: ({ totalPrice }) => totalPrice },
  { word: 'leftToBePaid', value: ({ leftToBePaid }) => leftToBePaid },
  { word: 'deliveryPrice', value: ({ deliveryPrice }) => deliveryPrice },
  { word: 'quantity', value: ({ quantity }) => quantity },
  { word: 'serviceMinutes', value: ({ serviceTime }) => serviceTime },
  { word: 'priority', value: ({ priority }) => priority },
  { word: 'pickupTask', value: ({ pickupTask }, { say }) => say(pickupTask ? 'yes' : 'no') },
  { word: 'startedAt', value: ({ startedAt }, { moment }) => moment(startedAt) },
  { word: 'completedAt', value: ({ completedAt }, { moment }) => moment(completedAt) },
  { word: 'failureReason', value: ({ cancelReason }) => cancelReason },
  { word: 'createdAt', value: ({ createdAt }, { moment }) => moment(createdAt) },
  {
    word: 'foundOnMap',
    value: ({ address, erasedAt }, { say }) => (erasedAt ? null : say(foundWords[certaintyOf(address)])),
  },
  { word: 'partner', value: (task, { ownId }) => namePartners(task, ownId) },
]

/** The other side of a shared task. In the middle of a chain: whom it came from, and who does it. */
function namePartners(task: Task, ownId: number | undefined): string | null {
  const { from, to } = partnersOf(task, ownId)
  return [from, to].flatMap((one) => one?.name ?? []).join(', ') || null
}

/** Tasks as a table: column names, and a row per task. Custom fields come last, by name. */
export function tableOf(
  tasks: readonly Task[],
  forms: Surroundings['forms'],
  say: Say,
  timeZone: string,
  ownId: number | undefined,
): Table {
  const keys = [...new Set(tasks.flatMap(({ customFields }) => customFields.map(({ key }) => key)))].sort()
  const moment = (time: string | null): Value => time && { wall: wallSeconds(time, timeZone) }
  const rows = tasks.map((task): Value[] => [
    ...columns.map(({ value }) => value(task, { say, moment, forms, ownId })),
    ...keys.map((key) => customValue(task.customFields.find((field) => field.key === key)?.value)),
  ])
  return { headers: [...columns.map(({ word }) => say(word)), ...keys], rows }
}

function customValue(value: unknown): Value {
  if (value === undefined || value === null) return null
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value)
}
