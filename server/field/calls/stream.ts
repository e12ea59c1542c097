import type { Context } from '../../context.ts'
import { type Source, tellReader } from '../../events/follow.ts'
import { createBatch } from '../../events/hints.ts'
import { wakeSoon } from '../../events/slices.ts'
import type { StreamReader } from '../../http/answers/stream.ts'
import { type SyncingDevice, watchDevice } from './watch.ts'

/* A stream says nothing but "sync now": what changed stands in the answer to the sync, in one place. */

const syncNow = 'event: sync\ndata: {}\n\n'

/** However much happens, a phone is not called more often than this. */
const callEveryMs = 1_000

/** Calls a device at once, because it may have missed something while it was away, and whenever something changes for it. */
export const streamCalls = async (
  context: Context,
  organisationId: number,
  device: SyncingDevice,
  reader: StreamReader,
) =>
  tellReader(context, reader, (wake) => followCalls(context, organisationId, device, wake), `retry: 2000\n${syncNow}`)

async function followCalls(
  { db, notices }: Context,
  organisationId: number,
  device: SyncingDevice,
  wake: () => void,
): Promise<Source> {
  const calls = createBatch<string>(callEveryMs, () => wakeSoon(wake))
  const leave = await watchDevice(db, notices, organisationId, {
    ...device,
    call: () => calls.add('sync', syncNow),
    check: () => wakeSoon(wake),
  })
  return {
    async *take() {
      yield* calls.take()
      return false
    },
    stop() {
      leave()
      calls.stop()
    },
  }
}
