import { Refusal } from '../../../contract/errors.ts'
import { longest } from '../../../contract/limits.ts'
import type { OpInput } from '../../../contract/op.ts'
import type { OpResult, SyncInput } from '../../../contract/sync.ts'
import { clockOffsetMs } from '../../../core/device-clock.ts'
import type { Context } from '../../context.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { readReport, requireSignIn } from '../devices/devices.ts'
import { findSignIn, noteTold, saveReport } from '../devices/queries.ts'
import { applyOps, type Done } from './apply.ts'
import { knownUntil, readChanges } from './changes.ts'
import { type Op, readOp, readOwnTime } from './op.ts'
import { errorOf } from './verdict.ts'

/**
 * Applies what a phone has collected, in its order, and answers what changed. If something breaks, what was applied until
 * then stays so, and the phone sends the same again.
 */
export async function syncDriver(
  given: Context,
  organisation: Organisation,
  caller: { driverId: number; deviceId: number },
  { deviceTime, cursor, device, holds = [], ops: givenOps = [] }: SyncInput,
) {
  const { driverId, deviceId } = caller
  const context = { ...given, actor: { ...given.actor, syncingDeviceId: deviceId } }
  const arrivedAt = context.clock.now()
  const offsetMs = clockOffsetMs(readOwnTime(deviceTime, 'deviceTime', organisation.timezone), arrivedAt)
  await saveReport(context.db, organisation.id, deviceId, readReport(device))
  const until = knownUntil(cursor, driverId)
  const read = givenOps.map((one) => readOrRefuse(one, offsetMs, organisation, until))
  const ops = read.filter((one): one is NamedOp => !('refused' in one))
  const checkIn = signInChecker(context, organisation, deviceId)
  const done = await applyOps(context, organisation, driverId, ops, checkIn)
  if (ops.some(({ action }, place) => action.type === 'duty' && !done[place]?.digest))
    context.announceChanges(['drivers'])
  const inOrder = done.values()
  const results = read.map((one) => ('refused' in one ? one.refused : resultOf(one, inOrder.next().value as Done)))
  const { cursor: next, lastEventId, changes } = await readChanges(context, organisation, caller, cursor, holds)
  if (lastEventId !== undefined) await noteTold(context.db, organisation.id, deviceId, lastEventId)
  return { serverTime: context.clock.now().toISOString(), cursor: next, results, changes }
}

/** Five hundred ops take a while, and a device that is signed out meanwhile is refused within a second. */
const checkEveryMs = 500

function signInChecker({ db }: Context, { id }: Organisation, deviceId: number) {
  let checkedAt = performance.now()
  return async () => {
    if (performance.now() - checkedAt < checkEveryMs) return
    requireSignIn(await findSignIn(db, id, deviceId))
    checkedAt = performance.now()
  }
}

type NamedOp = Op & Required<Pick<Op, 'name'>>

/** What cannot even be read has no answer to remember; it is refused the same way again. */
function readOrRefuse(
  given: OpInput | Refusal,
  offsetMs: number,
  { timezone }: Organisation,
  knownUntil: Date | undefined,
): NamedOp | { refused: OpResult } {
  const refused = (opId: string, refusal: Refusal) => ({ refused: { opId, success: false, error: errorOf(refusal) } })
  if (given instanceof Refusal) return refused(opIdOf(given.given), given)
  try {
    return { ...readOp(given, offsetMs, timezone), knownUntil }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refused(given.opId, error)
  }
}

const opIdOf = (given: unknown) => {
  const { opId } = (given ?? {}) as { opId?: unknown }
  return typeof opId === 'string' ? opId.slice(0, longest.opId) : ''
}

function resultOf({ name: { opId, digest } }: NamedOp, { answer, digest: first = digest }: Done): OpResult {
  if (digest.equals(first)) return { opId, ...answer }
  const mismatch = new Refusal('IDEMPOTENCY_MISMATCH', {
    field: 'opId',
    message: 'This opId was already used for something else',
  })
  return { opId, success: false, error: errorOf(mismatch) }
}
