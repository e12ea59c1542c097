import type { ErasedCounts } from '../../contract/erasure.ts'
import type { Task } from '../../contract/task.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import { hashOfAddress } from '../geocoding/look-up.ts'
import { getOrganisation } from '../organisations/queries.ts'
import { deleteIdleCustomers } from '../tasks/customers/queries.ts'
import { findChain } from '../tasks/read/chain.ts'
import { rewriteAll } from './erase.ts'
import {
  countMessages,
  findAddresses,
  findFormerTasks,
  findIdleCustomers,
  forgetGeocodings,
  isSentAbout,
  isSentTo,
  listOwnAddresses,
  ofFormer,
  type Person,
} from './queries.ts'
import { erasePrevious, eraseSnapshot } from './snapshot.ts'
import { statementOf, treatments } from './treatment.ts'

/* What there is of a person outside the tasks that are theirs: records without a task, tasks that are somebody else's by now, messages. */

export interface Traces {
  person: Person
  idle: number[]
  former: number[]
  /** Where they were reached while those were theirs. */
  addresses: string[]
  messages: Sql
  counts: Pick<ErasedCounts, 'customers' | 'messages'>
}

export async function findTraces(db: Db, organisationId: number, person: Person): Promise<Traces> {
  const idle = (await findIdleCustomers(db, organisationId, person)).map(({ id }) => id)
  const former = await findFormerTasks(db, organisationId, person)
  const addresses = await findAddresses(db, organisationId, former, person)
  const messages = ofFormer(sql`${isSentTo(person)} or ${isSentAbout(former, addresses)}`)
  // Whoever is named only in what tasks were before is somebody, too.
  const customers = Math.max(idle.length, former.length > 0 ? 1 : 0)
  const counts = { customers, messages: await countMessages(db, organisationId, messages) }
  return { person, idle, former, addresses, messages, counts }
}

/** Partners to whom those tasks were given have the same of them. */
export async function eraseTraces(
  db: Db,
  organisationId: number,
  { person, idle, former, addresses, messages }: Traces,
) {
  await forgetCustomers(db, organisationId, idle)
  await eraseMessages(db, organisationId, messages)
  await eraseFormer(db, organisationId, former, person)
  for (const [partnerId, taskIds] of await findChain(db, organisationId, former, 'fulfiller')) {
    const theirs = db.as(partnerId)
    await eraseMessages(theirs, partnerId, ofFormer(isSentAbout(taskIds, addresses)))
    await eraseFormer(theirs, partnerId, taskIds, person)
  }
}

/** Those that no task refers to, and what a geocoder said of their addresses. */
async function forgetCustomers(db: Db, organisationId: number, ids: number[]) {
  const own = await listOwnAddresses(db, organisationId, ids)
  await forgetGeocodings(db, organisationId, own.map(hashOfAddress))
  await deleteIdleCustomers(db, organisationId, ids)
}

async function eraseMessages(db: Db, organisationId: number, messages: Sql) {
  const change = treatments['messages']?.ofTasks
  if (change) await db.run(statementOf('messages', { ...change, rows: () => messages }, { organisationId }))
}

/** What tasks that are somebody else's by now say of the one they were for, and the record they had. */
async function eraseFormer(db: Db, organisationId: number, taskIds: number[], sought: Person) {
  const customerIds = new Set<number>()
  const lived = new Set<string>()
  const isTheirs = (customer: Task['customer'] | undefined, customerId: number | null | undefined) => {
    const isSame =
      'email' in sought
        ? customer?.email?.toLowerCase() === sought.email.toLowerCase()
        : customer?.phone === sought.phone || customer?.phone === sought.typed
    if (isSame && customerId) customerIds.add(customerId)
    if (isSame && customer?.address) lived.add(customer.address)
    return isSame
  }
  // Of the events of a change only the first has the task. Old values are of whoever it was for until then.
  let after: Partial<Task> = {}
  await rewriteAll(db, { organisationId, taskIds }, (event) => {
    const { task, previous } = event
    if (task) after = JSON.parse(task)
    const old: Partial<Task> = previous ? JSON.parse(previous) : {}
    const { customer = after.customer, customerId = after.customerId } = old
    const before = customer && ({ ...after.customer, ...customer } as Task['customer'])
    return {
      ...event,
      task: task && isTheirs(after.customer, after.customerId) ? eraseSnapshot(task) : task,
      previous: isTheirs(before, customerId) ? erasePrevious(previous) : previous,
    }
  })
  // Their record went with the last task that was theirs.
  const { country } = await getOrganisation(db, organisationId)
  const places = [...lived].map((address) => ({ ...nowhere, address, country }))
  await forgetGeocodings(db, organisationId, places.map(hashOfAddress))
  await forgetCustomers(db, organisationId, [...customerIds])
}

const nowhere = { city: null, area: null, street_name: null, street_number: null, postal_code: null }
