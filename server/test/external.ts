import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../db/embedded.ts'

/*
 * Runs the core of the suite with DATABASE_URL, against a separately started PostgreSQL. It connects as superuser, as
 * many users will, so it also shows that row-level security still applies to the server. Creates are not gathered here,
 * so that responses are tested both ways.
 */
const core = [
  'server/tasks',
  'server/drivers',
  'server/teams',
  'server/events',
  'server/webhooks/webhooks.test.ts',
  'server/webhooks/log.test.ts',
  'server/db/partitions.test.ts',
  'server/http/http.test.ts',
  'server/test/catalogue.test.ts',
  'server/test/conformance.test.ts',
  'server/test/settings.test.ts',
  'server/test/strangers.test.ts',
  'server/test/wall.test.ts',
  'sdk/client.test.ts',
]

const folder = await mkdtemp(join(tmpdir(), 'waybill-external-'))

const { adminUrl, stop } = await startEmbedded({ folder, log: () => {}, settings: { max_connections: '1000' } })
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
