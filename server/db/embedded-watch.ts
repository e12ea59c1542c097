import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Installation } from './embedded-files.ts'
import { giveReserve } from './embedded-room.ts'
import { reachServer, type Server, stopServer } from './embedded-server.ts'

/*
 * Restarts the embedded server when it dies. The connection that holds the lock on the data folder tells us: it ends
 * with the server, whether we started that server or found it running.
 */

export interface WatchOptions {
  installation: Installation
  settings: Record<string, string>
  /** Takes the lock on the data folder, or throws an error that says who has it. */
  takeLock: (connection: Client, folder: string) => Promise<void>
  warn: (sentence: string) => void
  onLost: (error: Error) => void
}

/** A command that is using the folder will release it in time; what fails for longer will keep failing. */
const patienceMs = 3_000
const retryMs = 200

export function watchServer(first: Server, { installation, settings, takeLock, warn, onLost }: WatchOptions) {
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
      server = await reachAgain(begun + patienceMs)
      watch()
      warn(`The database is back after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    } catch (error) {
      if (stopping.signal.aborted) return
      onLost(new Error(`The database stopped and could not be restarted: ${(error as Error).message}`))
    }
  }

  /** Tries at least twice, however long one attempt takes. On a full disk it waits until someone frees space. */
  async function reachAgain(patientUntil: number): Promise<Server> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const found = await reachServer(installation, { settings, socketFolder, giveUp: stopping.signal })
        await takeLock(found.connection, installation.folder)
        if (found.socketFolder === socketFolder) return found
        // Left over from a start elsewhere, where our connections would not look.
        await stopServer(found)
      } catch (error) {
        if (stopping.signal.aborted) throw error
        const lacksRoom = await giveReserve(installation.cluster).catch(() => false)
        if (lacksRoom) patientUntil = performance.now() + patienceMs
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
