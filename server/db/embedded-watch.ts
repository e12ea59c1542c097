import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Installation } from './embedded-files.ts'
import { giveReserve } from './embedded-room.ts'
import { reachServer, type Server, stopServer } from './embedded-server.ts'

/*
 * Restarts the embedded server when it dies. The connection that holds the lock on the data folder tells us: it ends
 * with the server, whether we started that server or found it running.
 */

/** Another Waybill has the lock on the data folder. The message says which one. */
export class FolderTaken extends Error {}

export interface WatchOptions {
  installation: Installation
  settings: Record<string, string>
  /** Takes the lock on the data folder, or throws `FolderTaken`. */
  takeLock: (connection: Client, folder: string) => Promise<void>
  warn: (sentence: string) => void
  onLost: (error: Error) => void
  /** A command that is using the folder will release it in time; what fails for longer will keep failing. */
  patienceMs?: number
}

const retryMs = 200

export function watchServer(first: Server, options: WatchOptions) {
  const { installation, settings, takeLock, warn, onLost, patienceMs = 3_000 } = options
  // Everything that connects knows this path, so it must stay the same.
  const { socketFolder } = first
  const stopping = new AbortController()
  let server = first
  let reviving = Promise.resolve()

  const watch = () =>
    server.connection.once('end', () => {
      if (!stopping.signal.aborted) reviving = revive()
    })

  async function revive() {
    const begun = performance.now()
    warn('The database stopped unexpectedly; restarting it')
    try {
      server = await reachAgain()
      watch()
      warn(`The database is back after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    } catch (error) {
      if (stopping.signal.aborted) return
      onLost(new Error(`The database stopped and could not be restarted: ${(error as Error).message}`))
    }
  }

  /**
   * Tries at least twice, however long one attempt takes. On a full disk it waits until someone frees space. A server that
   * died again while its lock was taken had started: all the patience is for the next start. On a busy machine that can
   * happen after a first attempt that took longer than the patience, and the reason would be a lost connection.
   */
  async function reachAgain(): Promise<Server> {
    let patientUntil = performance.now() + patienceMs
    for (let attempt = 1; ; attempt += 1) {
      let found: Server | undefined
      try {
        found = await reachServer(installation, { settings, socketFolder, giveUp: stopping.signal })
        await takeLock(found.connection, installation.folder)
        if (found.socketFolder === socketFolder) return found
        // Left over from a start elsewhere, where our connections would not look.
        await stopServer(found)
      } catch (error) {
        if (stopping.signal.aborted) throw error
        const hasDiedAgain = found !== undefined && !(error instanceof FolderTaken)
        if (hasDiedAgain) warn('The database stopped again; restarting it')
        const lacksRoom = await giveReserve(installation.cluster).catch(() => false)
        if (hasDiedAgain || lacksRoom) patientUntil = performance.now() + patienceMs
        if (hasDiedAgain) attempt = 0
        if (attempt > 1 && performance.now() > patientUntil) throw error
        await sleep(retryMs, undefined, { signal: stopping.signal })
      }
    }
  }

  watch()
  return {
    /** Waits for a start in progress, so that nothing starts after the stop. */
    async stop() {
      stopping.abort()
      await reviving
      await stopServer(server)
    },
  }
}
