import { Refusal, unknownInBody } from '../../contract/errors.ts'
import { mostUnknownScans } from '../../contract/limits.ts'
import type { Scanned } from '../../contract/scan.ts'
import { judgeScan, type LoadDay, markScan, type ScanPlace, type ScanResult } from '../../core/loading.ts'
import { dayOf } from '../../core/task-day.ts'
import { readDay } from '../../core/time.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { commitWithEvents, type Happened } from '../events/record.ts'
import type { Organisation } from '../organisations/queries.ts'
import { changeTasks, type TaskChange } from '../tasks/change/change.ts'
import { hasRoomInTimeline } from '../tasks/change/room.ts'
import { lockTasks } from '../tasks/read/lock.ts'
import type { TaskView } from '../tasks/tables.ts'
import { findScanned } from './find.ts'
import { placeRows } from './positions.ts'
import { presentScanned } from './present.ts'
import { countUnknown, insertScans, listDriverNames, listRoutes, listScansOf, type NewScan } from './queries.ts'

/*
 * A scan moves nothing: it says where a parcel is and whether it belongs there. It is kept with the time and the person, in
 * the timeline of the task if a task has the code; one that says what an earlier one said adds nothing.
 */

export interface GivenScan {
  code: string
  at: ScanPlace
  driverId: number | null
  day: string | null
  /** When and where, if not now. */
  happened?: Happened
}

/** A scan whose driver and day are known to exist, with the task it seems to be of. */
export interface ReadScan extends GivenScan, LoadDay {
  code: string
  day: string
  taskId: number | undefined
}

/** What scans come to, in their order; each is refused by itself. */
export async function recordScans(
  context: Context,
  organisation: Organisation,
  given: readonly (GivenScan | Refusal)[],
): Promise<(Scanned | Refusal)[]> {
  const read = await readScans(context, organisation, given)
  const answers = new Map<ReadScan, Scanned>()
  for (const run of runsOf(read.filter(isReadable))) {
    const found = await commitWithEvents(context, async (db) => {
      const now = context.clock.now()
      const { answers, changes } = await judgeScans(context, db, organisation, run, now)
      await changeTasks(context, db, organisation, changes, now)
      return answers
    })
    for (const [index, scan] of run.entries()) answers.set(scan, found[index] as Scanned)
  }
  return read.map((one) => (one instanceof Refusal ? one : (answers.get(one) as Scanned)))
}

const isReadable = <Good>(one: Good | Refusal): one is Good => !(one instanceof Refusal)

/** Days are checked, drivers and tasks are found. */
export async function readScans(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id, timezone }: Organisation,
  given: readonly (GivenScan | Refusal)[],
): Promise<(ReadScan | Refusal)[]> {
  const good = given.filter(isReadable)
  const wanted = [...new Set(good.flatMap(({ driverId }) => driverId ?? []))]
  const drivers = new Set((await listDriverNames(db, id, wanted)).map((driver) => driver.id))
  const taskIds = new Map((await findScanned(db, id, good)).map((taskId, index) => [good[index], taskId]))
  return given.map((one) => {
    if (one instanceof Refusal) return one
    if (one.driverId !== null && !drivers.has(one.driverId)) return unknownInBody('DRIVER_NOT_FOUND', 'userId')
    const today = dayOf(one.happened?.at ?? clock.now(), timezone)
    const day = one.day?.trim() || today
    const refusal = refuseDay(day, today, timezone)
    return refusal ?? { ...one, code: one.code.trim(), day, today, timezone, taskId: taskIds.get(one) }
  })
}

export function refuseDay(day: string, today: string, timezone: string): Refusal | undefined {
  if (!readDay(day, timezone))
    return new Refusal('INVALID_TIME', { field: 'day', message: 'day must look like 2026-11-15' })
  if (day < today) return new Refusal('INVALID_TIME', { field: 'day', message: 'day must be today or later' })
  return undefined
}

/** Scans that can be written as one set: a task, or a code that nobody knows, is in it once. */
function runsOf(scans: readonly ReadScan[]): ReadScan[][] {
  const runs: ReadScan[][] = []
  let seen = new Set<string | number>()
  for (const scan of scans) {
    const name = scan.taskId ?? scan.code.toUpperCase()
    if (runs.length === 0 || seen.has(name)) {
      runs.push([])
      seen = new Set()
    }
    seen.add(name)
    runs.at(-1)?.push(scan)
  }
  return runs
}

/** What one scan comes to, and what it changes. */
interface Judged {
  scan: ReadScan
  result: ScanResult
  task: TaskView | undefined
  /** When the same was said before; then nothing is kept. */
  already: Date | undefined
  change: TaskChange | undefined
  isKept: boolean
  at: Date
}

/** Locks the tasks, judges the scans and keeps them. The caller makes the changes, which have to come last. */
export async function judgeScans(
  context: Context,
  db: Db,
  organisation: Organisation,
  run: readonly ReadScan[],
  now: Date,
): Promise<{ answers: Scanned[]; changes: TaskChange[] }> {
  const { id } = organisation
  const taskIds = run.flatMap(({ taskId }) => taskId ?? [])
  const tasks = new Map((await lockTasks(db, id, taskIds)).map((task) => [task.id, task]))
  const codes = run.map(({ code }) => code.toUpperCase())
  const days = [...new Set(run.map(({ day }) => day))]
  const before = await listScansOf(db, id, taskIds, codes, days)
  const room = await roomForUnknown(db, id, run)

  const judged = run.map((scan): Judged => {
    const task = scan.taskId === undefined ? undefined : tasks.get(scan.taskId)
    const at = scan.happened?.at ?? now
    const result = judgeScan(task && loadableOf(task), scan)
    const { already: marked, set } = markScan(marksOf(task), scan.at, result, at)
    const same = before.find(
      (one) =>
        one.task_id === (task?.id ?? null) &&
        (task !== undefined || one.code.toUpperCase() === scan.code.toUpperCase()) &&
        one.at === scan.at &&
        one.user_id === scan.driverId &&
        one.result === result &&
        one.day === scan.day,
    )
    const already = marked ?? (set ? undefined : same?.occurred_at)
    const hasRoom = task ? task.erased_at === null && hasRoomInTimeline(task) : room.take(scan.day)
    const isKept = already === undefined && hasRoom
    const marks = set ? { at_hub_at: set.atHubAt, loaded_at: set.loadedAt } : {}
    const remark = { load: { at: scan.at, result, userId: scan.driverId } }
    const change: TaskChange | undefined =
      task && already === undefined && (isKept || set)
        ? {
            before: task,
            set: marks,
            ...(isKept ? { fires: ['TASK_UPDATED'], remark } : { fires: [] }),
            ...(scan.happened && { happened: scan.happened }),
          }
        : undefined
    return { scan, result, task: task && { ...task, ...marks }, already, change, isKept, at }
  })

  const ids = await keep(context, db, id, judged, now)
  const places = await placesOf(db, id, judged)
  const answers = judged.map((one) =>
    presentScanned({
      ...one,
      id: ids.get(one) ?? null,
      now,
      organisation,
      position: (one.task && places.get(one.task.id)) ?? null,
    }),
  )
  return { answers, changes: judged.flatMap(({ change }) => change ?? []) }
}

async function keep({ actor }: Context, db: Db, organisationId: number, judged: readonly Judged[], now: Date) {
  const kept = judged.filter(({ isKept }) => isKept)
  const rows = kept.map(
    ({ scan, result, task, at }): NewScan => ({
      code: scan.code,
      at: scan.at,
      result,
      task_id: task?.id ?? null,
      user_id: scan.driverId,
      day: scan.day,
      actor_type: actor.type,
      actor_id: actor.id,
      occurred_at: at,
      recorded_at: now,
    }),
  )
  const ids = rows.length > 0 ? await insertScans(db, organisationId, rows) : []
  return new Map(kept.map((one, index) => [one, ids[index]]))
}

/** How many codes that nobody knows can still be kept, of each day. */
async function roomForUnknown(db: Db, organisationId: number, run: readonly ReadScan[]) {
  const room = new Map<string, number>()
  for (const day of new Set(run.filter(({ taskId }) => taskId === undefined).map((scan) => scan.day)))
    room.set(day, mostUnknownScans - (await countUnknown(db, organisationId, day)))
  return {
    take(day: string): boolean {
      const left = room.get(day) ?? 0
      room.set(day, left - 1)
      return left > 0
    },
  }
}

/** Where in the vehicle of their drivers these tasks belong. */
async function placesOf(db: Db, organisationId: number, judged: readonly Judged[]) {
  const driverIds = [...new Set(judged.flatMap(({ task }) => task?.user_id ?? []))]
  const rows = driverIds.length > 0 ? await listRoutes(db, organisationId, driverIds) : []
  const byDriver = Map.groupBy(rows, ({ user_id }) => user_id as number)
  const days = new Map(judged.flatMap(({ task, scan }) => (task?.user_id ? [[task.user_id, scan] as const] : [])))
  return new Map([...byDriver].flatMap(([driverId, route]) => [...placeRows(route, days.get(driverId) as LoadDay)]))
}

const loadableOf = (task: TaskView) => ({
  statusId: task.status_id,
  userId: task.user_id,
  isWithPartner: task.fulfiller_id !== null,
  completeAfter: task.complete_after,
  completeBefore: task.complete_before,
  plannedFor: task.route?.arrivalTime ?? null,
})

const marksOf = (task: TaskView | undefined) => ({
  atHubAt: task?.at_hub_at ?? null,
  loadedAt: task?.loaded_at ?? null,
})
