import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/db.ts'
import { openDatabase } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import { folderOf } from '../map/files.ts'
import { findCurrent } from '../map/queries.ts'
import { findPlaces, listRegisters } from '../map/register/find-places.ts'
import { registerTables } from '../map/register/make/partitions.ts'
import { tidyImports } from '../map/run.ts'
import { cleanUpOf } from './clean-up.ts'
import { makeDatabase } from './database.ts'
import { drawTown } from './extract.ts'
import { amountsOf, seedOr, tellNumbers } from './proofs.ts'
import { seededRandom } from './random.ts'

/* `waybill map import` itself, killed at any moment: what it makes is there whole, or what was there before is. */

const command = join(import.meta.dirname, '../../cli/waybill.ts')
const deaths = amountsOf('crash-map').deaths

/** A town of straight streets, all with the name of the town and a number. */
async function drawGrid(folder: string, name: string) {
  const town = drawTown()
  town.node([45, 21], { place: 'town', name })
  for (let row = 0; row < 40; row += 1) {
    const lat = 45 + row * 0.001
    const street = `Strada ${name} ${row + 1}`
    town.street(street, [
      [lat, 21],
      [lat, 21.04],
    ])
    for (let house = 1; house <= 40; house += 1)
      town.house(street, String(house), [lat + (house % 2 ? 0.0002 : -0.0002), 21 + house * 0.001])
  }
  return town.write(join(folder, `${name}.osm.pbf`))
}

/** The town whose streets, tiles and rows are there, and nothing else; throws if anything of it is missing or left over. */
async function tellTown(db: Db, dataFolder: string): Promise<string> {
  const current = await findCurrent(db)
  assert.ok(current, 'one import is current')
  for (const { name, sha256 } of current.files) {
    const bytes: Buffer = await readFile(join(folderOf(dataFolder, current.id), name))
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, name)
  }
  const registers = await listRegisters(db)
  const search = (text: string) => findPlaces(db, registers, text, { country: 'RO', limit: 20 })
  for (const name of ['Dealu', 'Munte']) {
    const found = (await search(`Strada ${name} 7 nr. 12`)).some(({ parts }) => parts.streetName === `Strada ${name} 7`)
    assert.equal(found, name === current.name, `streets of ${name} while the map is ${current.name}`)
  }
  return current.name
}

async function tellLeft(db: Db, dataFolder: string) {
  const rows = await db.many<{ state: string }>(sql`select state from map_imports`)
  const partitions = await db.many(
    sql`select from pg_inherits where inhparent = any(${[...registerTables]}::regclass[])`,
  )
  return {
    states: rows.map(({ state }) => state),
    registers: partitions.length / registerTables.length,
    folders: (await readdir(join(dataFolder, 'map'))).length,
  }
}

test('an import that is killed at any moment leaves all of the new map or all of the old one', async (t) => {
  const cleanUp = cleanUpOf(t)
  const folder = await mkdtemp(join(tmpdir(), 'waybill-crash-map-'))
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
  const { url: databaseUrl, drop } = await makeDatabase()
  cleanUp.defer(drop)
  const role = await migrate(databaseUrl, () => {})
  const database = openDatabase({ url: databaseUrl, role, connections: 2, onIdleError: () => {} })
  cleanUp.defer(database.close)
  const db = database.everyone
  const dataFolder = join(folder, 'data')
  const paths = { Dealu: await drawGrid(folder, 'Dealu'), Munte: await drawGrid(folder, 'Munte') }
  const random = seededRandom(seedOr(20_261_118))

  const begin = (name: keyof typeof paths) =>
    spawn(process.execPath, [command, 'map', 'import', paths[name], '--name', name], {
      stdio: 'ignore',
      env: { ...process.env, DATABASE_URL: databaseUrl, WAYBILL_DATA: dataFolder },
    })

  const begun = performance.now()
  const [code] = await once(begin('Dealu'), 'exit')
  assert.equal(code, 0)
  // A little longer than an import takes here, so that some of them finish.
  const longestMs = (performance.now() - begun) * 1.2
  assert.equal(await tellTown(db, dataFolder), 'Dealu')

  let replaced = 0
  for (let death = 0; death < deaths; death += 1) {
    const before = await tellTown(db, dataFolder)
    const importing = begin(before === 'Dealu' ? 'Munte' : 'Dealu')
    const ended = once(importing, 'exit')
    await Promise.race([sleep(random() * longestMs), ended])
    importing.kill('SIGKILL')
    await ended
    const after = await tellTown(db, dataFolder)
    if (after !== before) replaced += 1
    // As the next start of a server does; without it, the next import does.
    if (death % 2 === 0) {
      await tidyImports({ databaseUrl, dataFolder, store: undefined }, db)
      assert.equal(await tellTown(db, dataFolder), after)
      assert.deepEqual(await tellLeft(db, dataFolder), { states: ['current'], registers: 1, folders: 1 })
    }
  }
  await tidyImports({ databaseUrl, dataFolder, store: undefined }, db)
  assert.deepEqual(await tellLeft(db, dataFolder), { states: ['current'], registers: 1, folders: 1 })
  tellNumbers(t, 'crash-map', { deaths, 'maps replaced': replaced })
})
