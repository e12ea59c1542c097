import { nextAttempt } from '../../../core/retry.ts'
import type { Service } from '../../context.ts'
import { type PushIdentity, type PushMessage, sendPush } from '../../outside/push.ts'
import { getPushIdentity } from '../devices/push-keys.ts'
import {
  type ClaimedCall,
  claimCalls,
  dropSubscription,
  listUnsearched,
  noteCalled,
  noteNews,
  notePostponed,
} from './queries.ts'

/*
 * Calls phones by push that do not fetch what the office changed. Whether a stream is open says nothing: that of a sleeping
 * phone stays open for minutes. So a phone is called if it has not synced some seconds after the change. Whom to call, and
 * when, is in the database; docs/decisions/0022-push.md says why this is enough.
 */

/** A phone that is awake syncs within this time, because its stream told it to. */
const waitSeconds = 5
/** A phone is not called more often than this. */
const pauseSeconds = 30
/** Longer than an attempt takes: then another process may try. */
const leaseSeconds = 30
const mostOrganisations = 10
const mostOfEach = 50

/** Nothing about anybody: the app fetches what is new, and chooses the words of the notification. */
const syncNow: PushMessage = {
  text: JSON.stringify({ type: 'sync' }),
  topic: 'sync',
  // What is planned in the evening is heard when the phone is switched on in the morning.
  keepSeconds: 12 * 60 * 60,
}

/** One round: everything that is due. */
export async function callSleepingPhones(service: Service, stopping: AbortSignal) {
  const { everyone } = service.database
  for (;;) {
    for (const { id } of await listUnsearched(everyone))
      await noteNews(service.database.of(id), id, waitSeconds, pauseSeconds)
    const claimed = await claimCalls(everyone, mostOrganisations, mostOfEach, leaseSeconds)
    if (claimed.length === 0 || stopping.aborted) return
    const identity = await getPushIdentity(service)
    await Promise.all(claimed.map((call) => callOne(service, identity, call, stopping)))
  }
}

async function callOne(service: Service, identity: PushIdentity, call: ClaimedCall, stopping: AbortSignal) {
  const pushed = await sendPush(service.outside, identity, call, syncNow, stopping)
  // We are stopping: another process, or the next start, makes the call when the claim has expired.
  if (!pushed) return
  const db = service.database.of(call.organisation_id)
  service.metrics.pushes.inc({ outcome: pushed.outcome })
  if (pushed.outcome === 'delivered') await noteCalled(db, call, pauseSeconds)
  else if (pushed.outcome === 'gone') await dropSubscription(db, call)
  else {
    const next = nextAttempt({ ...pushed, attempt: call.attempts + 1, random: Math.random() })
    await notePostponed(db, call, next.kind === 'retry' ? next.afterMs / 1_000 : null)
  }
}
