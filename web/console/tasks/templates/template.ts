import type { TemplateTask } from '../../../../contract/schedule.ts'
import { anyText, type Draft, emptyDraft, type FieldName, inputOf, isSame } from '../form/draft.ts'

/* A template in the form of a task: what it fills in, and what is kept as one. */

const addressParts = [
  'addressSecondLine',
  'streetName',
  'streetNumber',
  'city',
  'area',
  'postalCode',
  'country',
] as const
const customerParts = { name: 'customerName', phone: 'customerPhone', email: 'customerEmail' } as const
const texts = [
  'details',
  'customerNotes',
  'quantity',
  'priority',
  'serviceTime',
  'teamId',
  'userId',
  'formId',
  'paymentTypeId',
] as const
const prices = ['totalPrice', 'deliveryPrice'] as const
const checks = ['pickupTask', 'sendNotifications'] as const

const has = (value: unknown) => value !== null && value !== undefined

/** What a template says, as the form writes it; nothing about what it leaves open. */
export function draftOfTemplate(task: TemplateTask, typedMoney: (amount: number) => string): Partial<Draft> {
  const { address, customer } = task
  const draft: Partial<Draft> = {}
  if (address?.address) draft.address = address.address
  for (const part of addressParts) if (has(address?.[part])) draft[part] = String(address?.[part])
  if (has(address?.lat) && has(address?.lng)) draft.coordinates = `${address?.lat}, ${address?.lng}`
  for (const [part, name] of Object.entries(customerParts) as [keyof typeof customerParts, 'customerName'][])
    if (customer?.[part]) draft[name] = customer[part]
  for (const name of texts) if (has(task[name])) Object.assign(draft, { [name]: String(task[name]) })
  for (const name of prices) if (has(task[name])) draft[name] = typedMoney(Number(task[name]))
  for (const name of checks) if (has(task[name])) draft[name] = task[name] as boolean
  if (has(task.collectPayment)) draft.collectPayment = task.collectPayment ? 'yes' : 'no'
  if (task.customFields)
    draft.customFields = task.customFields.map(({ key, value }) => ({ key, value: anyText(value) }))
  if (has(task.inventory)) draft.inventory = anyText(task.inventory)
  return draft
}

/** The fields to write when another template is chosen: what the one before filled in goes, if nobody has changed it. */
export function fillFrom(draft: Draft, before: Partial<Draft>, next: Partial<Draft>): Partial<Draft> {
  const untouched = (Object.keys(before) as FieldName[]).filter((name) => isSame(draft[name], before[name] as never))
  return { ...Object.fromEntries(untouched.map((name) => [name, emptyDraft[name]])), ...next }
}

/** What the form holds, without what belongs to one day only. */
export function templateOf(draft: Draft): TemplateTask {
  const { awb: _, completeAfter: __, completeBefore: ___, dependencies: ____, address, ...kept } = inputOf(draft)
  return { ...kept, ...(Object.keys(address).length > 0 && { address }) }
}
