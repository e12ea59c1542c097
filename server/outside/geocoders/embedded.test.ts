import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distanceMetres } from '../../../core/geo.ts'
import { createGazetteer } from './embedded.ts'
import type { Place } from './geocoder.ts'
import { foldName } from './names.ts'

const gazetteer = createGazetteer()

const find = (given: Partial<Place>) =>
  gazetteer.find({
    address: '',
    city: null,
    area: null,
    country: 'RO',
    street_name: null,
    street_number: null,
    postal_code: null,
    ...given,
  })

const bucharest = { lat: 44.432, lng: 26.106 }
const cluj = { lat: 46.767, lng: 23.6 }
const floresti = { lat: 46.746, lng: 23.494 }

async function assertNear(given: Partial<Place>, point: { lat: number; lng: number }) {
  const found = await find(given)
  assert.ok(
    found && distanceMetres(found, point) < 2_000,
    `${JSON.stringify(given)} was found at ${JSON.stringify(found)}`,
  )
  assert.equal(found.precision, 'approximate')
}

test('a city is found by any of its names, however it is spelt', async () => {
  for (const city of [
    'București',
    'Bucureşti',
    'BUCURESTI',
    'Bucharest',
    'Bukarest',
    ' bucurești ',
    'Municipiul București',
  ])
    await assertNear({ city }, bucharest)
  for (const city of ['Cluj-Napoca', 'cluj napoca', 'Kolozsvár', 'Klausenburg']) await assertNear({ city }, cluj)
  await assertNear({ city: 'Tg. Mureș' }, { lat: 46.542, lng: 24.557 })
})

test('a city is found in a one-line address', async () => {
  for (const address of [
    'Strada Lipscani 12, București',
    'Strada Lipscani nr. 12, bl. 3, ap. 4, 030031 București, România',
    'Strada Lipscani 12, RO-030031, Bucuresti',
    'Strada Lipscani 12 București',
    'Strada Lipscani 12B 030031 București',
    'Victoria, București',
  ])
    await assertNear({ address }, bucharest)
  await assertNear({ address: '10 Downing Street, London SW1A 2AA', country: 'GB' }, { lat: 51.508, lng: -0.126 })
  await assertNear({ address: 'Damrak 1, 1012 LG Amsterdam', country: 'NL' }, { lat: 52.374, lng: 4.89 })
})

test('of many places with one name, the one in the given county is taken, otherwise the largest', async () => {
  await assertNear({ city: 'Florești', area: 'Cluj' }, floresti)
  await assertNear({ address: 'Str. Avram Iancu 1, Florești, jud. Cluj' }, floresti)
  await assertNear({ city: 'Springfield', area: 'IL', country: 'US' }, { lat: 39.802, lng: -89.644 })
  await assertNear({ city: 'Springfield', area: 'Illinois', country: 'US' }, { lat: 39.802, lng: -89.644 })
  await assertNear({ city: 'București', area: 'Ilfov' }, bucharest)
})

test('a sector of Bucharest is preferred to Bucharest as a whole', async () => {
  const sector = { lat: 44.4234, lng: 26.1687 }
  await assertNear({ city: 'București', area: 'Sector 3' }, sector)
  await assertNear({ city: 'București sectorul 3' }, sector)
  await assertNear({ address: 'Bulevardul Unirii 1, Sector 3, București' }, sector)
  await assertNear({ address: 'Bulevardul Unirii 1, București Sector 3' }, sector)
})

test('a city is found when written in its own script', async () => {
  await assertNear({ city: 'Одеса', country: 'UA' }, { lat: 46.486, lng: 30.744 })
  await assertNear({ address: '서울', country: 'KR' }, { lat: 37.566, lng: 126.978 })
  await assertNear({ city: 'Αθήνα', country: 'GR' }, { lat: 37.984, lng: 23.728 })
})

test('without a city nothing is guessed', async () => {
  for (const given of [
    { address: 'Calea Victoriei 1' },
    { address: 'Victoria 3' },
    { address: 'Strada Cluj 5' },
    { address: 'Calea 13 Victoria' },
    { city: 'Nicăieri' },
    // The county alone does not say where an unknown village is.
    { city: 'Nicăieri', area: 'Cluj' },
    { city: 'București', country: 'DE', address: '' },
    { city: 'Paris', country: 'XX' },
    { address: '' },
    { address: ',,;\n,' },
    { address: '?'.repeat(500) },
    { address: 'constructor, __proto__' },
  ])
    assert.equal(await find(given), undefined, JSON.stringify(given))
})

test('names are compared without accents, case and punctuation, but keep letters of other scripts', () => {
  assert.equal(foldName('Târgu-Mureş'), foldName('TÂRGU  MUREȘ'))
  assert.equal(foldName('Łódź'), 'lodz')
  assert.equal(foldName('Großräschen'), 'grossraschen')
  assert.notEqual(foldName('दिल्ली'), foldName('दिल्ला'))
})
