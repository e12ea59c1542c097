import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDatabase } from '../../db/db.ts'
import { migrate } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'
import { makeDatabase } from '../../test/database.ts'
import { at, drawDealu } from '../../test/town.ts'
import { importMap, removeMap } from '../run.ts'
import { findPlaces, listRegisters } from './find-places.ts'
import { createRegisterGeocoder } from './geocoder.ts'
import { readColumns } from './own/columns.ts'
import { importPlaces, removePlaces } from './own/import.ts'

const signal = new AbortController().signal

async function makePlace(t: TestContext) {
  const { url: databaseUrl, drop } = await makeDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'waybill-register-test-'))
  const role = await migrate(databaseUrl, () => {})
  const database = openDatabase({ url: databaseUrl, role, connections: 2, onIdleError: () => {} })
  t.after(async () => {
    await database.close()
    await rm(folder, { recursive: true, force: true })
    await drop()
  })
  const db = database.everyone
  const place = { databaseUrl, dataFolder: join(folder, 'data'), store: undefined }
  const geocoder = createRegisterGeocoder(db)
  const find = async (address: string, city: string | null = null) => {
    const parts = { area: null, street_name: null, street_number: null, postal_code: null }
    return geocoder.find({ address, city, country: 'RO', ...parts })
  }
  return {
    db,
    folder,
    find,
    /** In a few words: what it is, its street and number, its town. */
    async tell(address: string, city?: string) {
      const found = await find(address, city)
      if (!found) return undefined
      const { streetName, streetNumber, city: town } = found.parts ?? {}
      return [found.detail, [streetName, streetNumber].filter(Boolean).join(' '), town].filter(Boolean).join(', ')
    },
    async importTown() {
      const path = await drawDealu().write(join(folder, 'town.osm.pbf'))
      return importMap({ ...place, path, name: 'Dealu', signal })
    },
    removeTown: () => removeMap(place),
    async importFile(name: string, text: string, columns?: string) {
      const path = join(folder, name)
      await writeFile(path, text)
      return importPlaces({ databaseUrl, path, columns: readColumns(columns), signal })
    },
    removeFiles: () => removePlaces(databaseUrl),
    suggest: async (text: string) =>
      (await findPlaces(db, await listRegisters(db), text, { country: 'RO', limit: 5 })).map(({ parts }) =>
        [parts.streetName, parts.streetNumber, parts.city].filter(Boolean).join(', '),
      ),
  }
}

test('an address is found however it is written', async (t) => {
  const { importTown, tell } = await makePlace(t)
  await importTown()

  const mill = 'house, Strada Morii 10, Dealu'
  const spellings = {
    'Strada Morii 10, Dealu': mill,
    'str. morii nr.10 dealu': mill,
    'STR MORII NR 10, DEALU': mill,
    'Dealu, Str. Morii, nr. 10': mill,
    '10 Strada Morii, Dealu': mill,
    'Str. Morri 10, Dealu': mill,
    'Morii 10, Dealu': mill,
    'Str. Morii nr. 10, bl. A3, sc. B, et. 2, ap. 14, Dealu': mill,
    'Str. Morii 10, 330001 Dealu, România': mill,
    '330001 Dealu, str. Morii 10': mill,
    'Str. Ilie Pintilie 10, Dealu': mill,
    'Str. Morii 10, Domb': mill,
    'Str. Morii 2, Valea Mica': 'house, Strada Morii 2, Valea Mică',
    'B-dul I.C. Bratianu 5, Dealu': 'house, Bulevardul Ion C. Brătianu 5, Dealu',
    'bd. Brătianu nr 5, Dealu': 'house, Bulevardul Ion C. Brătianu 5, Dealu',
    'Bld. Ion C. Brătianu 9A, Dealu': 'house, Bulevardul Ion C. Brătianu 9A, Dealu',
    'Bulevardul Ion C. Brăţianu 7, Dealu': 'house, Bulevardul Ion C. Brătianu 7, Dealu',
    '1 Decembrie 1918 5, Dealu': 'house, Strada 1 Decembrie 1918 5, Dealu',
    'Str. 1 Decembrie 1918 nr. 18, Dealu': 'house, Strada 1 Decembrie 1918 18, Dealu',
    'Aleea Florilor 1, Dealu': 'house, Aleea Florilor 1, Dealu',
    'Str. Florilor 1, Dealu': 'house, Strada Florilor 1, Dealu',
    'Str. Florilor 3, Dealu': 'house, Strada Florilor 3, Dealu',
    'Dealu 330999 Morii 10': mill,
    '330999 morii 10 dealu romania': mill,
    '10 morii dealu': mill,
    'Ap. 4, sc. B, Morii nr10 Dealu jud. Hunedoara': mill,
    'Dealu Hunedoara 330001 Morii 10': mill,
    'Hunedoara, Dealu, Morii, 10, România': mill,
    'Starda Morii 10 Dealu jud HD': mill,
    'Str. Morii 10B, Dealu': 'interpolated, Strada Morii 10B, Dealu',
    'Str. Morii 10, Sector 2, Dealu': mill,
    'Sector 2 Dealu Morii 10': mill,
    'Str. Morii, Sector 2, Dealu': 'street, Strada Morii, Dealu',
    'Strada Morii, Dealu': 'street, Strada Morii, Dealu',
    'Strada Morii 400, Dealu': 'street, Strada Morii, Dealu',
    Dealu: 'city, Dealu',
  }
  const found: Record<string, string | undefined> = {}
  for (const spelling of Object.keys(spellings)) found[spelling] = await tell(spelling)
  assert.deepEqual(found, spellings)
  assert.equal(await tell('Str. Morii 10', 'Dealu'), mill)
  assert.equal(await tell('Str. Morii 10, Dealu', 'Dealu'), mill, 'the town is named twice')
})

test('what is not certain is said to be so, and another town is left to others', async (t) => {
  const { importTown, tell } = await makePlace(t)
  await importTown()

  assert.equal(await tell('Str. Lipscani 10, București'), undefined)
  assert.equal(await tell('Bd. Brătianu 5'), 'house, Bulevardul Ion C. Brătianu 5, Dealu')
  for (const other of ['Bd. Brătianu 5, București', 'Bd. Ion C. Brătianu 5 Sibiu', 'Bd. Brătianu 5, jud. Arad'])
    assert.equal(await tell(other), undefined, other)
  assert.equal(await tell('Str. Morii 10', 'București'), undefined)
  assert.equal(await tell('Str. Necunoscută 4, Dealu'), 'city, Dealu')
  assert.equal(await tell('Str. Morii 7, Dealu'), 'street, Strada Morii, Dealu', 'two houses say to be number 7')
  assert.match((await tell('Florilor 1, Dealu')) ?? '', /^street/, 'there are two')
  assert.equal(await tell('Strada Lungă 6'), undefined, 'a street is not the village of Straja')
  assert.equal(await tell('Straja, Strada Lungă 6'), 'house, Strada Lungă 6, Straja')
  assert.match((await tell('Str. Morii 2')) ?? 'nothing', /^(street|nothing)/, 'and so are towns')
})

test('a number that nobody has mapped is between its neighbours, on its side of the street', async (t) => {
  const { importTown, find } = await makePlace(t)
  await importTown()

  const between = await find('Strada Morii 11, Dealu')
  assert.equal(between?.precision, 'approximate')
  const even = await find('Strada Lungă 6, Dealu')
  assert.equal(even?.detail, 'street', 'its neighbours are four hundred metres apart')
  const beside = await find('Bulevardul Ion C. Brătianu 4, Dealu')
  assert.equal(beside?.detail, 'interpolated')
  assert.ok(Math.abs((beside?.lng ?? 0) - at(0, 0)[1]) < 0.0001)
  assert.equal((await find('Bulevardul Ion C. Brătianu 400, Dealu'))?.detail, 'street')
})

test('while typing, what may be meant is there before it is complete', async (t) => {
  const { importTown, suggest } = await makePlace(t)
  await importTown()

  assert.deepEqual(await suggest('brat'), ['Bulevardul Ion C. Brătianu, Dealu'])
  assert.equal((await suggest('bd brătianu 5, dea'))[0], 'Bulevardul Ion C. Brătianu, 5, Dealu')
  assert.deepEqual((await suggest('str mori')).toSorted(), ['Strada Morii, Dealu', 'Strada Morii, Valea Mică'])
  assert.deepEqual(await suggest('   '), [])
  assert.deepEqual(await suggest('zzzz'), [])
})

test('an import that is removed leaves nothing, and an operator has places without a map', async (t) => {
  const { db, importTown, removeTown, importFile, removeFiles, tell } = await makePlace(t)
  const partitions = async () =>
    (
      await db.many(sql`select from pg_inherits i join pg_class c on c.oid = i.inhparent where c.relname like 'register_%'
        and i.inhrelid in (select oid from pg_class where relkind = 'r')`)
    ).length
  await importTown()
  assert.equal(await partitions(), 5)
  await importTown()
  assert.equal(await partitions(), 5)
  await removeTown()
  assert.equal(await partitions(), 0)
  assert.equal(await tell('Strada Morii 10, Dealu'), undefined)

  await importFile('own.csv', 'street,number,city,lat,lon\nStrada Morii,10,Dealu,45.5,21.5\n')
  assert.equal(await tell('str morii 10, dealu'), 'house, Strada Morii 10, Dealu')
  await importTown()
  assert.equal(await tell('str morii 12, dealu'), 'house, Strada Morii 12, Dealu')
  assert.equal(await removeFiles(), 1)
  assert.equal(await partitions(), 5)
})

test('a file of places comes again and again without doubles, and broken rows are named', async (t) => {
  const { importFile, find, tell } = await makePlace(t)
  const table = [
    'Strada;Nr;Oraș;Y;X',
    'Strada Pinului;1;Cerbu;45,10;21,10',
    'Str. Pinului;3;Cerbu;45.1005;21.1005',
    '"Strada ""Regina Maria""";7;Cerbu;45.2;21.2',
    'Strada Pinului;5;Cerbu;unknown;21.1',
    'Strada Pinului',
  ].join('\r\n')
  const columns = 'street=Strada,number=Nr,city=Oraș,lat=Y,lng=X'
  const first = await importFile('own.csv', table, columns)
  assert.deepEqual([first.read, first.added, first.places], [3, 3, 3])
  assert.deepEqual(first.brokenLines, [
    { line: 5, problem: 'its coordinates are none' },
    { line: 6, problem: 'it has 1 values for 5 columns' },
  ])
  assert.equal(await tell('pinului 3, cerbu'), 'house, Str. Pinului 3, Cerbu')
  assert.equal(await tell('Str. Regina Maria 7, Cerbu'), 'house, Strada "Regina Maria" 7, Cerbu')

  const again = await importFile('own.csv', table.replace('45,10', '45,11'), columns)
  assert.deepEqual([again.read, again.added, again.places], [3, 0, 3])
  assert.equal((await find('Strada Pinului 1, Cerbu'))?.lat, 45.11)

  const lines = [
    { street: 'STRADA PINULUI', number: '9', city: 'CERBU', postcode: '330002' },
    { street: 'Strada Teiului', number: '2', city: 'Cerbu' },
  ].map((properties) => ({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: [21.3, 45.3] } }))
  const open = await importFile('places.geojson', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"type":`)
  assert.deepEqual([open.added, open.places, open.broken], [2, 5, 1])
  assert.equal(await tell('Teiului 2, Cerbu'), 'house, Strada Teiului 2, Cerbu')

  await assert.rejects(importFile('wrong.csv', 'a,b\n1,2\n'), /No column of the file looks like lat/)
  await assert.rejects(importFile('empty.csv', ''), /empty/)
  assert.equal(await tell('Teiului 2, Cerbu'), 'house, Strada Teiului 2, Cerbu', 'what was there is there')
})
