import type { TestContext } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { startServer } from '../main.ts'
import { quiet, type TestServer } from './server.ts'

/** Another process of the same service, as far as one process can be two: it shares nothing but the database. */
export async function startSecond(
  t: TestContext,
  { config }: Pick<TestServer, 'config'>,
  level = 'error',
  environment: Record<string, string> = {},
) {
  const lines: string[] = []
  const log = pino({ level }, { write: (line: string) => lines.push(line) })
  const server = await startServer(readConfig({ ...quiet, ...environment, DATABASE_URL: config.databaseUrl }), log)
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= server.stop()
    return stopped
  }
  t.after(stop)
  return { url: server.url, makeRound: server.makeRound, stop, logged: () => lines.join('') }
}
