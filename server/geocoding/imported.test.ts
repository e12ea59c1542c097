import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostSuggestions, type SuggestedPlace } from '../../contract/place.ts'
import type { Task } from '../../contract/task.ts'
import { aTask } from '../test/factories.ts'
import { answer, startReceiver } from '../test/receiver.ts'
import { startServer, type TestServer } from '../test/server.ts'
import { at, drawDealu, importTown } from '../test/town.ts'
import { until } from '../test/until.ts'

/* Addresses where a map was imported: the town of Dealu, with a village beside it. */

const writers =
  'Agârbiceanu Andreescu Barbu Creangă Ghica Mincu Minulescu Neculce Pillat Slavici Vinea Țuculescu'.split(' ')

/** The servers whose map it is already. */
const imports = new Map<string, Promise<void>>()

async function startInDealu(...given: Parameters<typeof startServer>) {
  const server = await startServer(...given)
  await imports.getOrInsertComputed(server.url, () => {
    const town = drawDealu()
    for (const [index, writer] of writers.entries())
      town.street(`Strada Ion ${writer}`, [at(20 + index, 0), at(20 + index, 5)])
    return importTown(server, town)
  })
  return server
}

const suggest = async (server: TestServer, q: string, more: Record<string, string> = {}): Promise<SuggestedPlace[]> =>
  (await server.get(`/places?${new URLSearchParams({ q, ...more })}`)).body.places
/** Who knows it, and what it is. */
const tell = ({ source, precisionDetail, address }: SuggestedPlace) =>
  `${source}, ${precisionDetail ?? 'given'}: ${address}`

const create = async (server: TestServer, awb: string, address: object): Promise<Task> =>
  (await server.post('/tasks', aTask({ awb, address }))).body.task
const untilPlaced = (server: TestServer, awb: string) =>
  until(`${awb} to be found`, async () => {
    const { address } = (await server.get(`/tasks/awb/${awb}`)).body.task as Task
    return address.lat !== null && address
  })

test('streets and houses of the map are suggested while they are typed, after what the office knows itself', async (t) => {
  const server = await startInDealu(t, { WAYBILL_GEOCODER: 'embedded' })
  const mill = { address: 'Str. Morii nr. 10, Dealu', lat: 45.0003, lng: 21.0001 }
  await create(server, 'OWN', mill)
  const [own, inTown, inVillage] = [
    `history, given: ${mill.address}`,
    'register, street: Strada Morii, 330001 Dealu',
    'register, street: Strada Morii, Valea Mică',
  ]

  assert.deepEqual((await suggest(server, 'mor')).map(tell), [own, inTown, inVillage])
  const [known, house] = await suggest(server, 'Strada Morii 1')
  assert.deepEqual(
    [known, house].map((one) => one && tell(one)),
    [own, 'register, house: Strada Morii 1, 330001 Dealu'],
  )
  const sameHouse = (await suggest(server, 'strada morii 10, dealu')).filter(({ precision }) => precision === 'exact')
  assert.deepEqual(sameHouse.map(tell), [own], 'the same house once, where the office says it is')

  const ofVillage = await suggest(server, 'morii', { near: at(60, 0).join() })
  assert.deepEqual(ofVillage.map(tell), [own, inVillage, inTown], 'what is near comes first')
  const many = await suggest(server, 'strada ion')
  assert.equal(many.length, mostSuggestions)
  assert.ok(
    many.every(({ source, address }) => source === 'register' && address.includes('Ion')),
    `${many.map(tell)}`,
  )
})

test('a task that is made with a suggested house is there at once', async (t) => {
  const server = await startInDealu(t, { WAYBILL_GEOCODER: 'embedded' })
  const [house] = await suggest(server, 'bratianu 5')
  assert.ok(house)
  assert.equal(tell(house), 'register, house: Bulevardul Ion C. Brătianu 5, Dealu')
  const { address, streetName, streetNumber, postalCode, city, area, country, lat, lng } = house
  const chosen = { address, streetName, streetNumber, city, country, lat, lng }
  const task = await create(server, 'A', { ...chosen, ...(postalCode && { postalCode }), ...(area && { area }) })
  assert.deepEqual([task.address.lat, task.address.lng, task.address.precision], [lat, lng, 'exact'])
  await server.makeRound('geocoding without key')
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED'], 'nothing is left to look up')
})

test('what the map knows is asked nobody else, and a town it does not know is asked the configured geocoder', async (t) => {
  const nominatim = await startReceiver(t)
  const elsewhere = [{ lat: '44.4317', lon: '26.1015', place_rank: 30 }]
  nominatim.always(answer(200, { body: JSON.stringify(elsewhere) }))
  const server = await startInDealu(t, {
    WAYBILL_GEOCODER: 'nominatim',
    WAYBILL_GEOCODER_URL: `http://127.0.0.1:${nominatim.port}`,
    WAYBILL_GEOCODER_RATE: '50',
  })
  const asked = () => nominatim.requests.map(({ url }) => new URL(url, 'http://geocoder.test').searchParams.get('q'))

  await create(server, 'HOUSE', { address: 'Str. Morii nr. 10, Dealu' })
  await create(server, 'BETWEEN', { address: 'Str. Morii 6, Dealu' })
  await create(server, 'STREET', { address: 'Strada Florilor, Dealu' })
  const found = []
  for (const awb of ['HOUSE', 'BETWEEN', 'STREET']) found.push((await untilPlaced(server, awb)).precisionDetail)
  assert.deepEqual(found, ['house', 'interpolated', 'street'])
  await suggest(server, 'Strada Morii 10, Dealu', { thorough: 'true' })
  assert.deepEqual(asked(), [])

  await create(server, 'FAR', { address: 'Strada Lipscani 12, București' })
  assert.equal((await untilPlaced(server, 'FAR')).lat, 44.4317)
  assert.deepEqual(asked(), ['Strada Lipscani 12, București'])

  await create(server, 'UNKNOWN', { address: 'Drumul Fermei 7, Dealu' })
  assert.equal((await untilPlaced(server, 'UNKNOWN')).precisionDetail, 'house')
  assert.deepEqual(asked().slice(1), ['Drumul Fermei 7, Dealu'], 'of this one the map knows only the town')
})
