import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { cleanUpOf } from '../server/test/clean-up.ts'
import { makeDatabase } from '../server/test/database.ts'
import { until } from '../server/test/until.ts'
import { runHere } from './test/run-here.ts'

const program = join(import.meta.dirname, 'waybill.ts')

async function makePlace(t: TestContext) {
  const { url, drop } = await makeDatabase()
  cleanUpOf(t).defer(drop)
  const folder = await mkdtemp(join(tmpdir(), 'waybill-places-test-'))
  cleanUpOf(t).defer(() => rm(folder, { recursive: true, force: true }))
  const environment = { DATABASE_URL: url, WAYBILL_DATA: join(folder, 'data') }
  const client = new pg.Client({ connectionString: url, options: '-c waybill.organisation=0' })
  await client.connect()
  cleanUpOf(t).defer(() => client.end())
  return {
    environment,
    client,
    places: (...args: string[]) => runHere(environment, 'places', ...args),
    async write(name: string, text: string | Uint8Array) {
      const path = join(folder, name)
      await writeFile(path, text)
      return path
    },
    /** The streets that a search would find. */
    async streets() {
      const { rows } = await client.query<{ name: string }>(
        'select name from register_streets where register_id in (select register_id from register_own) order by name',
      )
      return rows.map(({ name }) => name)
    },
    async partitions() {
      const { rowCount } = await client.query(`select from pg_inherits where inhparent = 'register_streets'::regclass`)
      return rowCount
    },
  }
}

const table = 'street,number,city,lat,lon\nStrada Morii,1,Dealu,45.1,21.1\nStrada Morii,3,Dealu,45.1,21.1\n'

test('places of a file are imported, shown and removed', async (t) => {
  const { places, write, streets } = await makePlace(t)
  const path = await write('own.csv', table)
  assert.match((await places('show')).out, /^No places are imported\. "waybill places import FILE"/)

  const imported = await places('import', path)
  assert.deepEqual([imported.code, imported.err], [0, ''])
  assert.match(
    imported.out,
    /^Read 2 places in [\d.]+ s, 2 of them new\. There are 2 now, on 1 street; running servers use them at once\.\n$/,
  )
  assert.match((await places('show')).out, /^2 places, imported \d{4}-\d\d-\d\d \d\d:\d\dZ\.\n$/)
  assert.deepEqual(await streets(), ['Strada Morii'])

  assert.match((await places('remove')).out, /^Removed 2 places\.\n$/)
  assert.match((await places('remove')).out, /^No places are imported\.\n$/)
  assert.match((await places('show')).out, /^No places are imported/)
})

test('a file that cannot be read is refused in one sentence, and what was there stays', async (t) => {
  const { places, write, streets } = await makePlace(t)
  await places('import', await write('own.csv', table))
  for (const [args, says] of [
    [[join(tmpdir(), 'gone.csv')], /^There is no file .*gone\.csv/],
    [[await write('other.csv', 'a,b\n1,2\n')], /No column of the file looks like lat/],
    [[await write('empty.csv', '')], /empty/],
    [[await write('noise.csv', 'street,city,lat,lon\nStrada Nouă,Dealu,north,east\n')], /no row that is a place/],
    [[await write('noise.geojson.gz', 'noise')], /not packed as its name says/],
    [[await write('half.csv.gz', gzipSync(table).subarray(0, -12))], /its end is missing/],
    [[await write('own.csv', table), '--columns', 'streets=Strada'], /--columns must be pairs such as street=Strada/],
    [[], /^FILE is missing; see "waybill places import --help"\.\n$/],
  ] as const) {
    const { code, err, out } = await places('import', ...args)
    assert.notEqual(code, 0, out)
    assert.match(err, says)
    assert.equal(err.trim().split('\n').length, 1, err)
  }
  assert.deepEqual(await streets(), ['Strada Morii'])
})

test('an import that is killed changes nothing, and the next one clears up', async (t) => {
  const { client, environment, places, write, streets, partitions } = await makePlace(t)
  await places('import', await write('own.csv', table))
  const path = await write('more.csv', 'street,number,city,lat,lon\nStrada Nouă,1,Dealu,45.2,21.2\n')

  // It has made its register, and waits for the switch.
  await client.query('begin; lock table register_own_places in share mode')
  const { WAYBILL_API_KEY: _, ...clean } = process.env
  const command = spawn(process.execPath, [program, 'places', 'import', path], { env: { ...clean, ...environment } })
  await until('the import', async () => {
    const { rowCount } = await client.query(
      `select from pg_locks where relation = 'register_own_places'::regclass and not granted`,
    )
    return rowCount === 1
  })
  command.kill('SIGKILL')
  await once(command, 'exit')
  await client.query('commit')
  await until('its connection to end', async () => {
    const { rowCount } = await client.query(`select from pg_stat_activity
      where datname = current_database() and application_name = 'waybill places'`)
    return rowCount === 0
  })
  assert.deepEqual(await streets(), ['Strada Morii'])
  assert.match((await places('show')).out, /^2 places/)
  assert.equal(await partitions(), 2, 'what it had made is left')

  assert.match((await places('import', path)).out, /1 of them new\. There are 3 now/)
  assert.deepEqual(await streets(), ['Strada Morii', 'Strada Nouă'])
  assert.equal(await partitions(), 1)
})
