import { setImmediate as nextTurn } from 'node:timers/promises'
import { foldAddress, mayBeOf, type WrittenAddress } from '../../../core/address-key.ts'
import { isToCheck } from '../../../core/certainty.ts'
import type { Point } from '../../../core/geo.ts'
import { isEnded } from '../../../core/task-status.ts'
import { type Context, system } from '../../context.ts'
import { commitWithEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { isSamePlace, shownAs } from '../address.ts'
import { findLearned, keysOf, noteUse } from '../learned/places.ts'
import { saveAddresses } from '../queries.ts'
import { listDoubtfulAddresses } from '../read/doubtful.ts'
import { lockTasks } from '../read/lock.ts'
import type { AddressRow, TaskView } from '../tables.ts'
import { changeTasks, type TaskChange } from './change.ts'

/** So many addresses to check are compared with those that were put right, and so many tasks change at a time. */
const mostCompared = 2_000
const atOnce = 200

/**
 * Other open tasks of an address that somebody has just put right, and that were found badly or not at all, get its place too.
 * After the correction is committed, in transactions of their own: their tasks are locked in the order of ids, like all.
 */
export async function placeAlike(context: Context, organisation: Organisation, pinned: readonly WrittenAddress[]) {
  if (!context.geocoders.usual) return
  const taught = new Map(
    pinned.flatMap((address) =>
      keysOf(address)
        .slice(0, 1)
        .map((key) => [key, mayBeOf(key)] as const),
    ),
  )
  if (taught.size === 0) return
  const alike: AddressRow[] = []
  for (const [index, address] of (await listDoubtfulAddresses(context.db, organisation.id, mostCompared)).entries()) {
    // Other requests go on meanwhile.
    if (index % 100 === 99) await nextTurn()
    const text = foldAddress(address)
    if (!taught.values().some((mayBe) => mayBe(text))) continue
    if (keysOf(address).some((key) => taught.has(key))) alike.push(address)
  }
  for (let at = 0; at < alike.length; at += atOnce)
    await placeLearned(context, organisation, alike.slice(at, at + atOnce))
}

/** Where the address is another by now, or somebody has said where it is, that stays. */
async function placeLearned(given: Context, organisation: Organisation, alike: readonly AddressRow[]) {
  // Nobody did this to these tasks, so nobody can undo it.
  const context = { ...given, actor: system, undoId: undefined }
  const asked = new Map(alike.map((address) => [address.task_id, address]))
  await commitWithEvents(context, async (db) => {
    const tasks = (await lockTasks(db, organisation.id, [...asked.keys()])).filter(
      ({ id, status_id, address }) =>
        !isEnded({ statusId: status_id }) &&
        isSamePlace(address, asked.get(id) as AddressRow) &&
        isToCheck(shownAs(address)),
    )
    const points = await findLearned(
      db,
      organisation.id,
      tasks.map(({ address }) => address),
    )
    const changes = tasks.flatMap((before, index) => changeOf(before, points[index]) ?? [])
    if (changes.length === 0) return
    await saveAddresses(
      db,
      organisation.id,
      changes.map(({ joined }) => joined.address),
    )
    await noteUse(
      db,
      organisation.id,
      changes.map(({ before }) => ({ task_id: before.id, address: before.address })),
    )
    await changeTasks(context, db, organisation, changes, context.clock.now())
  })
}

function changeOf(before: TaskView, point: Point | undefined) {
  if (!point) return undefined
  const { lat, lng } = point
  const found = { lat, lng, precision: 'exact', precision_detail: 'learned', found_parts: null }
  return {
    before,
    set: {},
    fires: ['TASK_GEOCODED'],
    joined: { address: { ...before.address, ...found } },
  } satisfies TaskChange
}
