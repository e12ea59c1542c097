import type { ErasedCounts } from '../../contract/erasure.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { UserRow } from '../organisations/queries.ts'
import { findChain } from '../tasks/read/chain.ts'
import { type ErasedSet, rewriteAll } from './erase.ts'
import { discardBytes, noCounts, wasThere } from './queries.ts'
import { type OfDriver, type OfDriversTasks, picturesOf, statementOf, treatments } from './treatment.ts'

/* A driver who left is erased: the name in the history becomes a number, positions and devices go. */

interface Found {
  isErased: boolean
  taskIds: number[]
  counts: ErasedCounts
}

const lockUser = (db: Db, { organisationId, driverId }: OfDriver) =>
  db.find<Pick<UserRow, 'deleted_at' | 'erased_at'>>(sql`
    select deleted_at, erased_at from users
    where organisation_id = ${organisationId} and id = ${driverId} and is_driver
    for update`)

/** The driver whom an erasure of this time was about, if a backup has brought them back. */
export const findReturned = (db: Db, { organisationId, driverId }: OfDriver, at: Date) =>
  db.find<Pick<UserRow, 'deleted_at'>>(sql`
    select deleted_at from users
    where organisation_id = ${organisationId} and id = ${driverId} and is_driver and ${wasThere(at)}`)

/** Every task whose events may name the driver. */
const listTasksOf = async (db: Db, { organisationId, driverId }: OfDriver) =>
  (
    await db.many<{ task_id: number }>(sql`
      select distinct task_id from events
      where organisation_id = ${organisationId}
        and (user_id = ${driverId} or (actor_type = 'DRIVER' and actor_id = ${driverId}))
      order by task_id`)
  ).map(({ task_id }) => task_id)

const countOf = (db: Db, { organisationId, driverId }: OfDriver, taskIds: number[], pictures: Sql) =>
  db.get<ErasedCounts>(sql`
    select 0 as tasks, 0 as customers, 0 as notes,
      (select count(*)::int from files
        where organisation_id = ${organisationId} and store_key is not null and ${pictures}) as pictures,
      (select count(*)::int from messages
        where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])) as messages,
      (select count(*)::int from locations
        where organisation_id = ${organisationId} and driver_id = ${driverId}) as positions`)

/** Erases the driver, and says in which tasks the history is still to be rewritten. */
export async function beginDriver(db: Db, organisationId: number, driverId: number, isDryRun: boolean): Promise<Found> {
  const scope = { organisationId, driverId }
  const user = await lockUser(db, scope)
  if (!user) throw new Refusal('DRIVER_NOT_FOUND', { status: 400, field: 'driverId' })
  if (!user.deleted_at) throw new Refusal('DRIVER_NOT_DELETED', { field: 'driverId' })
  if (user.erased_at !== null) return { isErased: true, taskIds: [], counts: noCounts() }
  const taskIds = await listTasksOf(db, scope)
  const pictures = picturesOf(scope)
  const counts = await countOf(db, scope, taskIds, pictures)
  if (isDryRun) return { isErased: false, taskIds, counts: { ...counts, tasks: taskIds.length } }
  await discardBytes(db, organisationId, pictures)
  for (const [name, { ofDriver }] of Object.entries(treatments))
    if (ofDriver) await db.run(statementOf(name, ofDriver, scope))
  return { isErased: false, taskIds, counts }
}

export const formerName = (driverId: number) => `Former driver ${driverId}`

/** Takes the driver out of the history of some tasks, here and at whoever gave them. */
export async function forgetDriver(
  db: Db,
  organisationId: number,
  driverId: number,
  taskIds: number[],
): Promise<ErasedSet> {
  const name = formerName(driverId)
  const isDriver = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && 'name' in value && 'id' in value && value.id === driverId
  /** What the driver was called when it happened: all that owners have. */
  const names = new Set<string>()
  /** A driver appears as a person with an id and a name: the one of the task, or the one who wrote a note. */
  const rename = (key: string, value: unknown) => {
    if (key !== 'user' || !isDriver(value)) return value
    names.add(String(value['name']))
    return {
      ...value,
      name,
      ...('avatar' in value && { avatar: null }),
      ...('email' in value && { email: null }),
      ...('phone' in value && { phone: '' }),
    }
  }
  const renameIn = (text: string | null) => text && JSON.stringify(JSON.parse(text, rename))
  await rewriteAll(db, { organisationId, taskIds }, (event) => ({
    ...event,
    task: renameIn(event.task),
    previous: renameIn(event.previous),
    driver:
      event.driver && event.user_id === driverId
        ? (JSON.stringify(rename('user', JSON.parse(event.driver))) as string)
        : event.driver,
    actor_name: event.actor_type === 'DRIVER' && event.actor_id === driverId ? name : event.actor_name,
  }))
  await treatTold(db, { organisationId, taskIds, names: [...names] })
  for (const [ownerId, theirIds] of await findChain(db, organisationId, taskIds, 'owner'))
    await forgetName(db.as(ownerId), { organisationId: ownerId, taskIds: theirIds, names: [...names] })
  return { taskIds, counts: { tasks: taskIds.length } }
}

async function treatTold(db: Db, scope: OfDriversTasks) {
  for (const [name, { ofDriversTasks }] of Object.entries(treatments))
    if (ofDriversTasks) await db.run(statementOf(name, ofDriversTasks, scope))
}

/** The tasks come first: whoever is changing one with the driver's name writes an event that has it, too. */
async function forgetName(db: Db, scope: OfDriversTasks) {
  await treatTold(db, scope)
  const isTheirs = (key: string, value: unknown) =>
    key === 'fulfillerDriver' && scope.names.includes((value as { name: string } | null)?.name ?? '')
  const forgetIn = (text: string | null) =>
    text && JSON.stringify(JSON.parse(text, (key, value) => (isTheirs(key, value) ? undefined : value)))
  await rewriteAll(db, scope, (event) => ({ ...event, task: forgetIn(event.task), previous: forgetIn(event.previous) }))
}
