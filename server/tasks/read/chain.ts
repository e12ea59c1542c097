import type { Db } from '../../db/db.ts'
import { Repeat } from '../../db/faults.ts'
import { type Sql, sql } from '../../db/sql.ts'

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

const findLink = (db: Db, organisationId: number, id: number) =>
  db.find<Link>(sql`select ${linkColumns} from tasks where organisation_id = ${organisationId} and id = ${id}`)

const lockRows = (db: Db, organisationId: number, ids: number[]) =>
  db.run(sql`
    select from tasks
    where organisation_id = ${organisationId} and id = any(${ids}::bigint[])
    order by id
    for no key update`)

/** Who gave each task to whom, the nearest first, to the one it began with. */
export async function findOwners(db: Db, tasks: readonly Link[]): Promise<Map<number, number[]>> {
  const owners = new Map(tasks.map(({ id }): [number, number[]] => [id, []]))
  let level = tasks.map((link) => ({ taskId: link.id, link }))
  for (let steps = 0; steps <= longestChain && level.length > 0; steps += 1) {
    const above: typeof level = []
    for (const [ownerId, theirs] of Map.groupBy(level, ({ link }) => link.owner_id)) {
      if (ownerId === null) continue
      const ids = theirs.map(({ link }) => link.owner_task_id as number)
      const links = new Map((await listLinks(db.as(ownerId), ownerId, ids)).map((link) => [link.id, link]))
      for (const { taskId, link } of theirs) {
        owners.get(taskId)?.push(ownerId)
        const next = links.get(link.owner_task_id as number)
        if (next) above.push({ taskId, link: next })
      }
    }
    level = above
  }
  return owners
}

/** The rows of the same tasks with others, by their organisations, in order. */
export type Others = Map<number, Set<number>>

/** Follows a task to both ends of its chain. */
async function findOthers(db: Db, links: readonly Link[]): Promise<Others> {
  const others: Others = new Map()
  const follow = async (side: 'owner' | 'fulfiller', link: Link) => {
    for (let next: Link | undefined = link, steps = 0; next && steps <= longestChain; steps += 1) {
      const [organisationId, id]: [number | null, number | null] = [next[`${side}_id`], next[`${side}_task_id`]]
      if (organisationId === null || id === null) return
      others.set(organisationId, (others.get(organisationId) ?? new Set()).add(id))
      next = await findLink(db.as(organisationId), organisationId, id)
    }
  }
  for (const link of links) {
    await follow('owner', link)
    await follow('fulfiller', link)
  }
  return new Map([...others].sort(([one], [other]) => one - other))
}

/** Those a task came from, the nearest first. */
export async function listOwners(db: Db, task: Pick<Link, 'owner_id' | 'owner_task_id'>): Promise<number[]> {
  const owners: number[] = []
  for (let next: typeof task | undefined = task; next && owners.length <= longestChain; ) {
    const { owner_id: organisationId, owner_task_id: taskId }: typeof task = next
    if (organisationId === null || taskId === null) break
    owners.push(organisationId)
    next = await findLink(db.as(organisationId), organisationId, taskId)
  }
  return owners
}

const listLinks = (db: Db, organisationId: number, ids: number[]) =>
  db.many<Link>(sql`
    select ${linkColumns} from tasks where organisation_id = ${organisationId} and id = any(${ids}::bigint[])`)

export interface Doer {
  /** What the task is called here. */
  ownId: number
  organisationId: number
  /** And there. */
  taskId: number
}

/** Whose drivers do tasks that were given away: the ends of their chains. A statement for each partner and step. */
export async function findDoers(db: Db, links: readonly Link[]): Promise<Doer[]> {
  const doers = new Map<number, Doer>()
  let wanted = links.map((link) => ({ ownId: link.id, link }))
  for (let steps = 0; wanted.length > 0 && steps <= longestChain; steps += 1) {
    const given = wanted.flatMap(({ ownId, link: { fulfiller_id: organisationId, fulfiller_task_id: taskId } }) =>
      organisationId === null || taskId === null ? [] : [{ ownId, organisationId, taskId }],
    )
    wanted = []
    for (const doer of given) doers.set(doer.ownId, doer)
    for (const [organisationId, theirs] of Map.groupBy(given, (one) => one.organisationId)) {
      const ids = theirs.map(({ taskId }) => taskId)
      const rows = await listLinks(db.as(organisationId), organisationId, ids)
      const found = new Map(rows.map((row) => [row.id, row]))
      for (const { ownId, taskId } of theirs) {
        const link = found.get(taskId)
        if (link) wanted.push({ ownId, link })
      }
    }
  }
  return [...doers.values()]
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
