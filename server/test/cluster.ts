import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'

/* Creating a PostgreSQL cluster takes two seconds of processor time, copying one a tenth. So it is created once per run. */

const variable = 'WAYBILL_TEST_CLUSTER'

/** Creates the cluster that is copied, with all tables and nothing in them. */
export async function makeCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-cluster-'))
  const database = await startEmbedded({ folder, log: () => {}, settings: { fsync: 'off' } })
  await migrate(database.url, () => {})
  await database.stop()
  process.env[variable] = await realpath(join(folder, 'postgres'))
}

/** Puts a copy into a data folder, so that a server that starts there need not create its own. */
export async function prepareFolder(folder: string) {
  await mkdir(folder, { recursive: true })
  await promisify(execFile)('cp', ['-a', process.env[variable] as string, join(folder, 'postgres')])
}
