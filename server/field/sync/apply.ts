import { Refusal } from '../../../contract/errors.ts'
import type { Changed } from '../../../contract/live.ts'
import { settingsOf } from '../../../core/settings.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { isOverloaded, isUnavailable } from '../../db/faults.ts'
import { commitWithEvents } from '../../events/record.ts'
import { createGatherer, hasOwnTransaction } from '../../gather.ts'
import type { Organisation } from '../../organisations/queries.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { type Asked, nameOf } from './around.ts'
import { type Desk, NotAlone, openDesk } from './desk.ts'
import type { Op } from './op.ts'
import { type Attempt, type Outcome, perform } from './perform.ts'
import { readTakeBack } from './take-back.ts'
import { errorOf } from './verdict.ts'

/*
 * The one way in which a driver does something, whether a phone sends it hours later with others or a verb at once. Ops are
 * applied in sets: what several phones send at the same time is one transaction for all their changes, their events, what is
 * kept because it cannot change anything, and the answers (docs/decisions/0070).
 *
 * Each op is done by the state the ones before it left, those of one phone in their order. One that has to ask the database
 * is a set by itself.
 */

/** What one phone has for a set. */
interface Part {
  context: Context
  organisation: Organisation
  driverId: number
  ops: readonly Op[]
  /** It must not share a set. Then it is one op. */
  isAlone: boolean
}

/** What an op came to. */
export interface Done extends Outcome {
  /** Of the op that had this name before, if there was one. */
  digest?: Buffer
}

/** What the first ops of a part came to. The next one has to be alone; each of them, if something broke. */
interface Applied {
  done: Done[]
  isBroken?: true
}

const largestSet = 100
/** Of one phone in a set: the more, the longer those wait who have little to send. */
const mostOfAPhone = 20
/** What a phone has after a stop. It does not wait for two hundred that come back after an hour. */
const small = 5

const gather = createGatherer<Part, Applied>({
  // As for creates: Node decides one set while PostgreSQL writes the other.
  mostAtOnce: 2,
  largestSet,
  small,
  sizeOf: ({ isAlone, ops }) => (isAlone ? largestSet : ops.length),
  write: (_, parts) => applyParts(parts),
})

/** Applies what a phone has, in its order. `checkIn` is called before each of its sets. */
export async function applyOps(
  context: Context,
  organisation: Organisation,
  driverId: number,
  ops: readonly Op[],
  checkIn = async () => {},
): Promise<Done[]> {
  const done: Done[] = []
  let alone = 0
  while (done.length < ops.length) {
    await checkIn()
    const rest = ops.slice(done.length, done.length + mostOfAPhone)
    const last = rest.findIndex((op) => isForItself(op, organisation))
    const isAlone = alone > 0 || last === 0 || hasOwnTransaction(context, organisation.id)
    const next = rest.slice(0, isAlone ? 1 : last > 0 ? last : rest.length)
    const applied = await applyPart({ context, organisation, driverId, ops: next, isAlone })
    done.push(...applied.done)
    if (applied.done.length < next.length) alone = applied.isBroken ? next.length : 1
    else alone = Math.max(0, alone - 1)
  }
  return done
}

export const applyOp = async (context: Context, organisation: Organisation, driverId: number, op: Op) =>
  (await applyOps(context, organisation, driverId, [op]))[0] as Done

/** Known before: it changes more than its task, or asks what others did. */
const isForItself = ({ action: { type } }: Op, organisation: Organisation) =>
  type === 'duty' || type === 'seen' || type === 'load' || type === 'takeBack' || flows(type, organisation)

/** Completing a task may start others. */
const flows = (type: Op['action']['type'], organisation: Organisation) =>
  type === 'complete' && settingsOf(organisation).automaticDriverFlow

async function applyPart(part: Part): Promise<Applied> {
  const { context, organisation } = part
  const isGathered = context.config.gatherCreates && !hasOwnTransaction(context, organisation.id)
  if (isGathered) return gather(context, String(organisation.id), part)
  return (await applyParts([part]))[0] as Applied
}

/** If a set breaks, which nobody expects, each of its phones goes on without the others: only one of them is the cause. */
async function applyParts(parts: readonly Part[]): Promise<Applied[]> {
  try {
    return (await applySet(parts)).map((done) => ({ done }))
  } catch (error) {
    const isNobodys = isUnavailable(error) || isOverloaded(error)
    if (isNobodys || parts.some(({ isAlone }) => isAlone)) throw error
    if (parts.length === 1) return [{ done: [], isBroken: true }]
    const applied: Applied[] = []
    for (const part of parts) applied.push(...(await applyParts([part])))
    return applied
  }
}

/** One transaction. What it does to the database is all it does: it may have to begin anew. */
async function applySet(parts: readonly Part[]): Promise<Done[][]> {
  const { context, organisation } = parts.at(-1) as Part
  const work = async (db: Db) => {
    const attempts = await Promise.all(parts.map((part) => attemptsOf(db, part)))
    const desk = await openDesk(context, db, organisation.id, attempts.flat().map(askedBy))
    const done: Done[][] = []
    for (const own of attempts) done.push(await performEach(desk, own))
    const written = await desk.write(context, organisation)
    return done.map((own) => own.map((one) => ({ ...one, ...taskIn(written, one) })))
  }
  try {
    const done = await commitWithEvents(context, work)
    announce(context, parts, done)
    return done
  } catch (error) {
    // What was refused as a whole is not remembered either.
    if (!(error instanceof Refusal) || parts.length > 1 || parts[0]?.ops.length !== 1) throw error
    return [[{ answer: { success: false, error: errorOf(error) }, refusal: error }]]
  }
}

/** A taking back that is refused is about no task. */
const askedBy = ({ driverId, op, action, flows }: Attempt): Asked => ({
  driverId,
  action: action instanceof Refusal ? { type: 'takeBack', taskId: null, of: '' } : action,
  name: op.name,
  flows,
})

async function attemptsOf(db: Db, { context, organisation, driverId, ops }: Part): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (const op of ops) {
    const { action } = op
    const resolved = action.type === 'takeBack' ? await readTakeBack(db, organisation.id, driverId, action) : action
    attempts.push({ context, organisation, driverId, op, action: resolved, flows: flows(action.type, organisation) })
  }
  return attempts
}

/** Up to the one that has to be alone. */
async function performEach(desk: Desk, attempts: readonly Attempt[]): Promise<Done[]> {
  const done: Done[] = []
  for (const attempt of attempts) {
    const { driverId, op } = attempt
    const known = op.name && desk.known.get(nameOf(driverId, op.name.opId))
    try {
      done.push(known ?? (await perform(desk, attempt)))
    } catch (error) {
      if (!(error instanceof NotAlone)) throw error
      return done
    }
  }
  return done
}

/** The task as it was written, of the op that came last to it. */
function taskIn(written: readonly TaskView[], { task }: Done) {
  const found = task && written.findLast(({ id }) => id === task.id)
  return found && { task: found }
}

function announce(context: Context, parts: readonly Part[], done: readonly Done[][]) {
  const changed = new Set<Changed>()
  for (const [place, { ops }] of parts.entries())
    for (const [index, { answer, digest, hasSeen }] of (done[place] ?? []).entries()) {
      if (digest) continue
      const { type } = (ops[index] as Op).action
      if (type === 'load') changed.add('scans')
      if (answer.conflict) changed.add('conflicts')
      if (hasSeen || (type === 'note' && answer.success)) changed.add('notes')
    }
  if (changed.size > 0) context.announceChanges([...changed])
}
