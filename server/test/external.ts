import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../db/embedded.ts'

/*
 * Runs the core of the suite through DATABASE_URL, against a PostgreSQL that was started apart. We connect to it as its
 * superuser, as many will: so this run also shows that row-level security binds the server all the same. Created tasks
 * are not gathered here, so that what they answer is tested with it and without.
 */
const core = [
  'server/tasks',
  'server/drivers',
  'server/teams',
  'server/events',
  'server/webhooks/webhooks.test.ts',
  'server/webhooks/log.test.ts',
  'server/webhooks/attempt-log.test.ts',
  'server/http/http.test.ts',
  'server/test/catalogue.test.ts',
  'server/test/conformance.test.ts',
  'server/test/settings.test.ts',
  'server/test/strangers.test.ts',
  'server/test/wall.test.ts',
  'sdk/client.test.ts',
]

const folder = await mkdtemp(join(tmpdir(), 'waybill-external-'))

const { adminUrl, stop } = await startEmbedded({ folder, log: () => {}, settings: { max_connections: '200' } })
try {
  const places = process.argv.length > 2 ? process.argv.slice(2) : core
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'run.ts'), ...places], {
    stdio: 'inherit',
    env: { ...process.env, DATABASE_URL: adminUrl, WAYBILL_GATHER_CREATES: 'false' },
  })
  process.exitCode = status ?? 1
} finally {
  await stop()
  await rm(folder, { recursive: true, force: true })
}
