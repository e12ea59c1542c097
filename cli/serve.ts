import { ConfigError, readConfig } from '../server/config.ts'
import { isUnavailable } from '../server/db/faults.ts'
import { createLog, type Log } from '../server/log.ts'
import { banner } from './banner.ts'
import type { Verb } from './command.ts'
import { ensurePages } from './console.ts'
import { giveSpareMemoryBack } from './spare-memory.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export const serve: Verb = {
  does: 'Starts the server: API, background work and (without DATABASE_URL) an embedded PostgreSQL.',
  more: 'Settings come from the environment; "waybill help" lists them. Ctrl-C stops the server.',
  run: stayUp,
}

/** Runs until told to stop, then exits cleanly, within ten seconds at the latest. */
async function stayUp(): Promise<never> {
  const stopWanted = whenStopWanted()
  const { server, log } = await begin().catch((error) => {
    console.error(`Waybill cannot start: ${explain(error)}`)
    process.exit(1)
  })
  const reason = await Promise.race([stopWanted, server.lost])
  if (reason instanceof Error) console.error(`Waybill is stopping: ${reason.message}`)
  else log.info(`Stopping: ${reason}`)
  setTimeout(() => {
    log.error('Stopping took too long; exiting now')
    process.exit(1)
  }, 9_500).unref()
  await server.stop().catch((err) => {
    log.error({ err }, 'Stopping failed; exiting now')
    process.exit(1)
  })
  log.info('Stopped')
  process.exit(reason instanceof Error ? 1 : 0)
}

async function begin() {
  const begun = performance.now()
  const config = readConfig(process.env)
  const log = createLog(config.log)
  const { folder, problem } = config.role === 'worker' ? {} : await findPages(config.dataFolder, log)
  // Loaded only now, so that a wrong setting is reported at once.
  const { startServer } = await import('../server/main.ts')
  const server = await startServer(config, log, folder)
  giveSpareMemoryBack()
  console.log(banner(config, server, performance.now() - begun, problem))
  return { server, log }
}

/** A console that cannot be built does not stop the API; the banner says what is wrong. */
const findPages = (dataFolder: string, log: Log): Promise<{ folder?: string; problem?: string }> =>
  ensurePages(dataFolder, (sentence) => log.info(sentence)).then(
    (folder) => ({ folder }),
    (error: Error) => ({ problem: error.message }),
  )

/** By a signal, or because the launcher that holds our terminal is gone. */
function whenStopWanted(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of signals) process.on(signal, () => resolve(`received ${signal}`))
    process.on('disconnect', () => resolve('the launcher is gone'))
  })
}

/** Why the server cannot start, in one sentence. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return `${error.message}.`
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE')
    return 'the port is in use. Set PORT to another one, or stop the program that uses it.'
  return isUnavailable(error) ? `the database cannot be reached: ${error.message}` : error.message
}
