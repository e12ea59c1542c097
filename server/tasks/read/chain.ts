import type { Side } from '../../../core/delegation.ts'
import type { Db } from '../../db/db.ts'
import { Repeat } from '../../db/faults.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { TaskView } from '../tables.ts'
import { viewTasks } from './view.ts'

/*
 * A task that organisations share has a row with each of them. Whoever changes one locks them all, in the order of
 * organisations and ids, so that two changes from two sides queue up instead of locking each other out. Each row is read
 * and locked as its own organisation.
 */

/** A row of a shared task, and its neighbours. */
export interface Link {
  id: number
  owner_id: number | null
  owner_task_id: number | null
  fulfiller_id: number | null
  fulfiller_task_id: number | null
}

export const linkColumns = sql`id, owner_id, owner_task_id, fulfiller_id, fulfiller_task_id`
const isShared = sql`(owner_id is not null or fulfiller_id is not null)`

/** How often a task can be handed on. */
export const longestChain = 5

/** Organisations that share tasks, as far as this process has met them: the others need not be asked about it. */
const sharing = new Set<number>()

const listShared = (db: Db, organisationId: number, condition: Sql) =>
  db.many<Link>(sql`
    select ${linkColumns} from tasks
    where organisation_id = ${organisationId} and deleted_at is null and ${condition} and ${isShared}`)

const listLinks = (db: Db, organisationId: number, ids: number[]) =>
  db.many<Link>(sql`
    select ${linkColumns} from tasks where organisation_id = ${organisationId} and id = any(${ids}::bigint[])`)

/** Only the rows, also of deleted tasks. */
export const lockRows = (db: Db, organisationId: number, ids: number[]) =>
  db.run(sql`
    select from tasks
    where organisation_id = ${organisationId} and id = any(${ids}::bigint[])
    order by id
    for no key update`)

/** A row of one of our tasks with somebody else. */
export interface Kin {
  ownId: number
  organisationId: number
  taskId: number
}

type Start = Pick<Link, 'id' | 'owner_id' | 'owner_task_id'> & Partial<Link>

/** Follows tasks along their chains to one end, the nearest first. A statement for each organisation and step. */
async function follow(db: Db, links: readonly Start[], side: Side): Promise<Kin[]> {
  const found: Kin[] = []
  let level = links.map((link) => ({ ownId: link.id, link }))
  for (let steps = 0; level.length > 0 && steps <= longestChain; steps += 1) {
    const next = level.flatMap(({ ownId, link }): Kin[] => {
      const [organisationId, taskId] = [link[`${side}_id`] ?? null, link[`${side}_task_id`] ?? null]
      return organisationId === null || taskId === null ? [] : [{ ownId, organisationId, taskId }]
    })
    found.push(...next)
    level = []
    for (const [organisationId, theirs] of Map.groupBy(next, (one) => one.organisationId)) {
      const ids = theirs.map(({ taskId }) => taskId)
      const rows = new Map((await listLinks(db.as(organisationId), organisationId, ids)).map((row) => [row.id, row]))
      level.push(
        ...theirs.flatMap(({ ownId, taskId }) => {
          const link = rows.get(taskId)
          return link ? [{ ownId, link }] : []
        }),
      )
    }
  }
  return found
}

/** Who gave each task to whom, the nearest first, to the one it began with. */
export async function findOwners(db: Db, tasks: readonly Start[]): Promise<Map<number, number[]>> {
  const owners = new Map(tasks.map(({ id }): [number, number[]] => [id, []]))
  for (const { ownId, organisationId } of await follow(db, tasks, 'owner')) owners.get(ownId)?.push(organisationId)
  return owners
}

/** A task as the organisation has it with which it began: that one decides what follows it. */
export async function viewFirst(db: Db, task: TaskView): Promise<TaskView> {
  const first = (await follow(db, [task], 'owner')).at(-1)
  if (!first) return task
  const { organisationId, taskId } = first
  return (await viewTasks(db.as(organisationId), organisationId, [taskId]))[0] ?? task
}

/** Who else has each task, above and below. */
export async function findSharers(db: Db, links: readonly Link[]): Promise<Map<number, Set<number>>> {
  const sharers = new Map(links.map(({ id }) => [id, new Set<number>()]))
  for (const side of ['owner', 'fulfiller'] as const)
    for (const { ownId, organisationId } of await follow(db, links, side)) sharers.get(ownId)?.add(organisationId)
  return sharers
}

/** What the organisation with which a task began calls it, by our id: that code is on the parcel. */
export async function findFirstAwbs(db: Db, tasks: readonly Start[]): Promise<Map<number, string>> {
  const first = new Map((await follow(db, tasks, 'owner')).map((kin) => [kin.ownId, kin]))
  const awbs = new Map<number, string>()
  for (const [organisationId, theirs] of Map.groupBy(first.values(), (one) => one.organisationId)) {
    const ids = theirs.map(({ taskId }) => taskId)
    const rows = await db.as(organisationId).many<{ id: number; awb: string }>(sql`
      select id, awb from tasks where organisation_id = ${organisationId} and id = any(${ids}::bigint[])`)
    const awbOf = new Map(rows.map(({ id, awb }) => [id, awb]))
    for (const { ownId, taskId } of theirs) awbs.set(ownId, awbOf.get(taskId) ?? '')
  }
  return awbs
}

/** Whose drivers do tasks that were given away: the ends of their chains. */
export const findDoers = async (db: Db, links: readonly Link[]): Promise<Kin[]> => [
  ...new Map((await follow(db, links, 'fulfiller')).map((kin) => [kin.ownId, kin])).values(),
]

/** What everybody on one side has of these tasks, by organisation, the nearest first. */
export async function findChain(
  db: Db,
  organisationId: number,
  ids: number[],
  side: Side,
): Promise<Map<number, number[]>> {
  const chain = new Map<number, number[]>()
  for (const { organisationId: id, taskId } of await follow(db, await listLinks(db, organisationId, ids), side))
    chain.set(id, [...(chain.get(id) ?? []), taskId])
  return chain
}

/** The rows of the same tasks with others, by their organisations, in order. */
export type Others = Map<number, Set<number>>

async function findOthers(db: Db, links: readonly Link[]): Promise<Others> {
  const kin = [...(await follow(db, links, 'owner')), ...(await follow(db, links, 'fulfiller'))]
  const others: Others = new Map()
  for (const { organisationId, taskId } of kin)
    others.set(organisationId, (others.get(organisationId) ?? new Set()).add(taskId))
  return new Map([...others].sort(([one], [other]) => one - other))
}

const lockOthers = async (db: Db, others: Others, isWanted: (organisationId: number) => boolean) => {
  for (const [organisationId, ids] of others)
    if (isWanted(organisationId)) await lockRows(db.as(organisationId), organisationId, [...ids])
}

/** To be called before tasks are locked: locks what others have of them, so far as it comes first. */
export async function lockBefore(db: Db, organisationId: number, condition: Sql): Promise<Others> {
  if (!sharing.has(organisationId)) return new Map()
  const others = await findOthers(db, await listShared(db, organisationId, condition))
  await lockOthers(db, others, (id) => id < organisationId)
  return others
}

/**
 * To be called after: locks the rest. What comes first and was not known before is found in a second run of the whole
 * transaction.
 */
export async function lockAfter(db: Db, organisationId: number, links: readonly Link[], before: Others) {
  const shared = links.filter(({ owner_id, fulfiller_id }) => owner_id !== null || fulfiller_id !== null)
  if (shared.length === 0) return
  const others = await findOthers(db, shared)
  const isMissing = [...others].some(
    ([id, ids]) => id < organisationId && !ids.isSubsetOf(before.get(id) ?? new Set<number>()),
  )
  if (isMissing) {
    sharing.add(organisationId)
    throw new Repeat('Rows of partners come first')
  }
  await lockOthers(db, others, (id) => id > organisationId)
}
