import { Refusal, unknownInBody } from '../../../contract/errors.ts'
import { delegatedMoves, type Side } from '../../../core/delegation.ts'
import { settingsOf } from '../../../core/settings.ts'
import { decideMove } from '../../../core/task-status.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { commitWithEvents, recordEventsAtEnd } from '../../events/record.ts'
import { arePartners, holdPartnership } from '../../organisations/partner-queries.ts'
import { getOrganisation, holdOrganisation, type Organisation } from '../../organisations/queries.ts'
import { forbiddenBySetting } from '../../organisations/refusals.ts'
import { type Recording, recordInOrder, type TaskChange, writeChanges } from '../change/change.ts'
import { asPartner, awbsOfOthers } from '../change/mirror.ts'
import { decideEach, type MoveResults, moveTask, withoutDriver } from '../change/move.ts'
import { creationOf } from '../create/create.ts'
import { presentTask } from '../present.ts'
import { findOwners, longestChain } from '../read/chain.ts'
import { listConflicted } from '../read/conflicted.ts'
import { lockTasks } from '../read/lock.ts'
import { viewTasks } from '../read/view.ts'
import type { TaskView } from '../tables.ts'
import { copyPayments, insertCopies } from './copies.ts'

/* Giving tasks to a partner, and back. Both sides are written in one transaction: a task is with one of them, never with both. */

export const delegateTasks = (
  context: Context,
  organisation: Organisation,
  companyId: number,
  ids: readonly number[],
): Promise<MoveResults<number>> =>
  commitWithEvents(context, (db) => giveTasks(context, db, organisation, companyId, ids))

/** The same inside a transaction. */
export async function giveTasks(
  context: Context,
  db: Db,
  organisation: Organisation,
  companyId: number,
  ids: readonly number[],
): Promise<MoveResults<number>> {
  // Asked first, because nobody holds up a stranger; held last, as whoever changes an organisation has it before partners.
  if (!(await arePartners(db, organisation.id, companyId))) throw unknownInBody('PARTNER_NOT_FOUND', 'companyId')
  const theirs = db.as(companyId)
  const owner = await holdOrganisation(db, organisation.id)
  const fulfiller = await holdOrganisation(theirs, companyId)
  if (!(await holdPartnership(db, organisation.id, companyId))) throw unknownInBody('PARTNER_NOT_FOUND', 'companyId')
  const found = new Map((await lockTasks(db, organisation.id, [...ids])).map((task) => [task.id, task]))
  const conflicted = await listConflicted(db, organisation.id, [...ids])
  const owners = await findOwners(db, [...found.values()])
  const { results, changes } = decideEach(ids, found, (task) => {
    if (task.erased_at) return new Refusal('TASK_ERASED')
    if (conflicted.has(task.id))
      return new Refusal('TASK_ALREADY_PROCESSED', { message: 'The task has an open conflict' })
    return (
      refuseChain(owners.get(task.id) ?? [], companyId) ??
      refuseMoney(task, owner, fulfiller) ??
      moveTask(task, 'delegate', { fulfiller_id: companyId }, {})
    )
  })
  if (changes.length === 0) return results
  const now = context.clock.now()
  const given = changes.map(({ before }) => before)
  const messagesBy = (task: TaskView) => task.messages_by ?? (settingsOf(organisation).delegatedMessages as Side)
  const copies = await insertCopies(db, theirs, organisation.id, fulfiller, given, messagesBy, now)
  await copyPayments({ own: db, theirs }, organisation.id, companyId, given, copies)
  const remark = { delegated: { companyId, name: fulfiller.name } }
  const own = await writeChanges(
    context,
    db,
    organisation,
    changes.map((change, index): TaskChange => {
      const copy = copies[index] as TaskView
      const linked = { fulfiller_task_id: copy.id, chain_awbs: awbsOfOthers(copy, change.before) }
      const set = { ...change.set, ...linked, messages_by: copy.messages_by }
      return { ...change, set, rereads: ['partners'], remark }
    }),
    now,
  )
  const partner = asPartner(context, organisation, theirs)
  const created = copies.map((copy) => creationOf(copy, JSON.stringify(presentTask(copy, fulfiller, now))))
  context.announceToo(companyId)
  await recordInOrder([
    ...own.recordings,
    {
      organisationId: companyId,
      record: () => recordEventsAtEnd(partner, theirs, companyId, created, Promise.resolve()),
    },
  ])
  return results
}

/** Nobody has a task twice. Who is further up is not told: each knows only its neighbours. */
function refuseChain([nearest, ...others]: readonly number[], companyId: number): Refusal | undefined {
  if (nearest === companyId) return new Refusal('TASK_OF_PARTNER')
  const isTooLong = others.length + 1 >= longestChain
  return isTooLong || others.includes(companyId) ? new Refusal('CHAIN_TOO_LONG') : undefined
}

/** Amounts are never converted, and never rounded. */
function refuseMoney(task: TaskView, owner: Organisation, fulfiller: Organisation): Refusal | undefined {
  if (owner.currency !== fulfiller.currency)
    return new Refusal('CURRENCY_DIFFERS', {
      message: `Your currency is ${owner.currency}, the partner’s is ${fulfiller.currency}`,
    })
  const hasFraction = task.total_price_hundredths !== 0 || task.left_to_be_paid_hundredths !== 0
  if (hasFraction && settingsOf(fulfiller).moneyDecimals === 0)
    return new Refusal('CURRENCY_DIFFERS', {
      message: 'The partner has amounts without decimals, and this one has some',
    })
  return undefined
}

/** The task of each side. */
interface Pair {
  owner: TaskView
  fulfiller: TaskView
}

/** Takes tasks back, or gives them back, as who asks is the owner or the fulfiller. */
export const undelegateTasks = (
  context: Context,
  organisation: Organisation,
  ids: readonly number[],
): Promise<MoveResults<number>> =>
  commitWithEvents(context, async (db) => {
    const found = await lockTasks(db, organisation.id, [...ids])
    const now = context.clock.now()
    const results: MoveResults<number> = new Map()
    const recordings: Recording[] = []
    const known = new Set(found.map(({ id }) => id))
    for (const id of ids) if (!known.has(id)) results.set(id, new Refusal('TASK_NOT_FOUND'))
    const isOwner = (task: TaskView) => task.fulfiller_id !== null
    const partnerIdOf = (task: TaskView) => task.fulfiller_id ?? task.owner_id
    for (const [partnerId, tasks] of Map.groupBy(found, partnerIdOf)) {
      if (partnerId === null) {
        for (const { id } of tasks) results.set(id, new Refusal('TASK_NOT_DELEGATED'))
        continue
      }
      const theirs = db.as(partnerId)
      const partner = await getOrganisation(theirs, partnerId)
      const theirIds = tasks.map((task) => (isOwner(task) ? task.fulfiller_task_id : task.owner_task_id) as number)
      const views = new Map((await viewTasks(theirs, partnerId, theirIds)).map((view) => [view.id, view]))
      const own: TaskChange[] = []
      const other: TaskChange[] = []
      for (const [index, task] of tasks.entries()) {
        const view = views.get(theirIds[index] as number) as TaskView
        const pair = isOwner(task) ? { owner: task, fulfiller: view } : { owner: view, fulfiller: task }
        const ends =
          isOwner(task) || settingsOf(partner)[delegatedMoves.undelegate.fulfiller]
            ? handBack(pair, isOwner(task) ? partner.name : organisation.name, now)
            : notAllowed()
        results.set(task.id, ends instanceof Refusal ? ends : undefined)
        if (ends instanceof Refusal) continue
        own.push(isOwner(task) ? ends.owner : ends.fulfiller)
        other.push(isOwner(task) ? ends.fulfiller : ends.owner)
      }
      const asOther = asPartner(context, organisation, theirs)
      const ours = await writeSide(context, db, organisation, own, now, partnerId)
      recordings.push(...ours, ...(await writeSide(asOther, theirs, partner, other, now, organisation.id)))
      context.announceToo(partnerId)
    }
    await recordInOrder(recordings)
    return results
  })

const notAllowed = () => forbiddenBySetting(delegatedMoves.undelegate.fulfiller, 'giving tasks back')

const writeSide = async (
  context: Context,
  db: Db,
  organisation: Organisation,
  changes: readonly TaskChange[],
  now: Date,
  from: number,
) => (changes.length > 0 ? (await writeChanges(context, db, organisation, changes, now, from)).recordings : [])

/** The owner has it again, without a driver; what the fulfiller had of it is gone. */
function handBack(
  { owner, fulfiller }: Pair,
  fulfillerName: string,
  now: Date,
): Record<keyof Pair, TaskChange> | Refusal {
  const nobody = {
    fulfiller_id: null,
    fulfiller_task_id: null,
    fulfiller_driver: null,
    fulfiller_phone: null,
    // In the middle of a chain it is still what the first owner chose.
    messages_by: owner.owner_id === null ? null : owner.messages_by,
  }
  const taken = moveTask(owner, 'undelegate', { ...withoutDriver, ...nobody }, { joined: { partners: null } })
  if (taken instanceof Refusal) return taken
  const gone = decideMove('delete', fulfiller.status_id)
  if (typeof gone === 'string') return new Refusal(gone)
  return {
    owner: { ...taken, remark: { undelegated: { companyId: fulfiller.organisation_id, name: fulfillerName } } },
    fulfiller: { before: fulfiller, set: { deleted_at: now }, fires: gone.fires },
  }
}
