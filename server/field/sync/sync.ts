import { Refusal } from '../../../contract/errors.ts'
import { longest } from '../../../contract/limits.ts'
import type { OpInput } from '../../../contract/op.ts'
import type { OpResult, SyncInput } from '../../../contract/sync.ts'
import { clockOffsetMs } from '../../../core/device-clock.ts'
import type { Context } from '../../context.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { readReport, requireSignIn } from '../devices/devices.ts'
import { findSignIn, noteTold, saveReport } from '../devices/queries.ts'
import { AlreadyApplied, applyOp, errorOf } from './apply.ts'
import { knownUntil, readChanges } from './changes.ts'
import { type Op, readOp, readOwnTime } from './op.ts'
import { type Answer, findOps } from './queries.ts'

interface Known {
  digest: Buffer
  answer: Answer
}

/**
 * Applies what a phone has collected, one after the other, each in a transaction of its own, and answers what changed. If
 * something breaks, what was applied until then stays so, and the phone sends the same again.
 */
export async function syncDriver(
  given: Context,
  organisation: Organisation,
  caller: { driverId: number; deviceId: number },
  { deviceTime, cursor, device, ops = [] }: SyncInput,
) {
  const { driverId, deviceId } = caller
  const context = { ...given, actor: { ...given.actor, syncingDeviceId: deviceId } }
  const arrivedAt = context.clock.now()
  const offsetMs = clockOffsetMs(readOwnTime(deviceTime, 'deviceTime', organisation.timezone), arrivedAt)
  await saveReport(context.db, organisation.id, deviceId, readReport(device))
  const opIds = ops.flatMap((given) => (given instanceof Refusal ? [] : given.opId))
  const known = await findKnown(context, organisation, driverId, opIds)
  const results: OpResult[] = []
  const batch: Batch = { context, organisation, driverId, offsetMs, knownUntil: knownUntil(cursor, driverId), known }
  const requireSignedIn = signInChecker(context, organisation, deviceId)
  for (const given of ops) {
    await requireSignedIn()
    results.push(await answerOp(batch, given))
  }
  const { cursor: next, lastEventId, changes } = await readChanges(context, organisation, caller, cursor)
  if (lastEventId !== undefined) await noteTold(context.db, organisation.id, deviceId, lastEventId)
  return { serverTime: context.clock.now().toISOString(), cursor: next, results, changes }
}

/** Five hundred ops take seconds, and a device that is signed out meanwhile is refused within one. */
const checkEveryMs = 500

function signInChecker({ db }: Context, { id }: Organisation, deviceId: number) {
  let checkedAt = performance.now()
  return async () => {
    if (performance.now() - checkedAt < checkEveryMs) return
    requireSignIn(await findSignIn(db, id, deviceId))
    checkedAt = performance.now()
  }
}

async function findKnown({ db }: Context, { id }: Organisation, driverId: number, opIds: string[]) {
  const rows = opIds.length > 0 ? await findOps(db, id, driverId, opIds) : []
  return new Map(rows.map(({ op_id, digest, answer }): [string, Known] => [op_id, { digest, answer }]))
}

/** What the ops of one sync have in common. */
interface Batch {
  context: Context
  organisation: Organisation
  driverId: number
  offsetMs: number
  knownUntil: Date | undefined
  /** Those that were answered before. */
  known: Map<string, Known>
}

async function answerOp(batch: Batch, given: OpInput | Refusal): Promise<OpResult> {
  if (given instanceof Refusal) return { opId: opIdOf(given.given), success: false, error: errorOf(given) }
  const { opId } = given
  const { organisation, offsetMs, knownUntil, known } = batch
  try {
    const op = { ...readOp(given, offsetMs, organisation.timezone), knownUntil }
    const first = known.get(opId) ?? (await applyOnce(batch, op))
    known.set(opId, first)
    if (!op.name?.digest.equals(first.digest))
      throw new Refusal('IDEMPOTENCY_MISMATCH', {
        field: 'opId',
        message: 'This opId was already used for something else',
      })
    return { opId, ...first.answer }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { opId, success: false, error: errorOf(error) }
  }
}

/** What could not even be read has no answer to remember; it is refused the same way again. */
const opIdOf = (given: unknown) => {
  const { opId } = (given ?? {}) as { opId?: unknown }
  return typeof opId === 'string' ? opId.slice(0, longest.opId) : ''
}

async function applyOnce({ context, organisation, driverId }: Batch, op: Op): Promise<Known> {
  const { opId, digest } = op.name as NonNullable<Op['name']>
  try {
    const { answer } = await applyOp(context, organisation, driverId, op)
    if (op.action.type === 'duty') context.announceChanges(['drivers'])
    return { digest, answer }
  } catch (error) {
    if (!(error instanceof AlreadyApplied)) throw error
    return (await findKnown(context, organisation, driverId, [opId])).get(opId) as Known
  }
}
