import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask } from '../test/factories.ts'
import { answer, startReceiver } from '../test/receiver.ts'
import { startServer, type TestServer } from '../test/server.ts'

const pipera = {
  address: 'Șos. Pipera nr. 4, București',
  streetName: 'Șos. Pipera',
  streetNumber: '4',
  city: 'București',
}
const point = { lat: 44.47312, lng: 26.10421 }

const suggest = async (server: TestServer, q: string, more: Record<string, string> = {}) =>
  (await server.get(`/places?${new URLSearchParams({ q, ...more })}`)).body.places

test('the own history is suggested while an address is typed, each address once, with its exact place', async (t) => {
  const [server, other] = [await startServer(t), await startServer(t)]
  await server.post('/tasks', aTask({ awb: 'A', address: { ...pipera, lat: 44.4, lng: 26.1 } }))
  await server.post('/tasks', aTask({ awb: 'B', address: { ...pipera, ...point } }))
  await server.post('/tasks', aTask({ awb: 'C', address: 'Calea Victoriei 1', customer: { name: 'Ion Pipera' } }))
  await server.post('/tasks', aTask({ awb: 'D', address: { address: 'Str. Pipera Nord 9', lat: 44.5, lng: 26.2 } }))
  await other.post('/tasks', aTask({ awb: 'E', address: { address: 'Pipera 77, Iași', lat: 47, lng: 27 } }))

  const places = await suggest(server, 'pip')
  assert.deepEqual(
    places.map(({ address }: { address: string }) => address),
    ['Str. Pipera Nord 9', pipera.address],
  )
  assert.deepEqual(places[1], {
    ...pipera,
    ...point,
    area: null,
    postalCode: null,
    country: 'RO',
    precision: 'exact',
    precisionDetail: null,
    source: 'history',
  })
  for (const q of ['soseaua PIPERA 4', 'bucuresti pipera 4', 'sos pipera 4 buc'])
    assert.equal((await suggest(server, q))[0]?.address, pipera.address, q)
  assert.deepEqual(await suggest(server, 'pi'), [], 'too little to go by')
  assert.deepEqual(await suggest(server, 'strada'), [])
  assert.deepEqual(await suggest(server, '44.43, 26.10'), [])
})

test('what was corrected meanwhile is suggested where it was put', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'off' })
  await server.post('/tasks', aTask({ awb: 'A', address: { address: 'Strada Nouă 5, Timișoara' } }))
  assert.deepEqual(await suggest(server, 'strada noua 5'), [], 'it is not known where that is')
  await server.post('/tasks', aTask({ awb: 'B', address: { address: 'Str. Nouă nr. 5, ap. 2, Timișoara', ...point } }))
  await server.put('/tasks/awb/B', { address: { lat: 45.75, lng: 21.23 } })
  const [place] = await suggest(server, 'str noua 5')
  assert.deepEqual([place.lat, place.precisionDetail, place.source], [45.75, 'learned', 'history'])
})

test('an erased address is suggested to nobody', async (t) => {
  const server = await startServer(t)
  const customer = { name: 'Ana Pop', phone: '0712345678' }
  await server.post('/tasks', aTask({ awb: 'A', customer, address: { ...pipera, ...point } }))
  await server.delete('/tasks/awb/A')
  await server.post('/erasures', { phone: customer.phone })
  assert.deepEqual(await suggest(server, 'pipera'), [])
})

test('without anything better the city is suggested, and says that it is only that', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'embedded' })
  const [place, ...none] = await suggest(server, 'Strada Lalelelor 3, Cluj-Napoca')
  assert.deepEqual(none, [])
  assert.deepEqual(
    [place.lat, place.precision, place.precisionDetail, place.source],
    [46.76667, 'approximate', 'city', 'gazetteer'],
  )
  const off = await startServer(t, { WAYBILL_GEOCODER: 'off' })
  assert.deepEqual(await suggest(off, 'Strada Lalelelor 3, Cluj-Napoca'), [])
})

test('a configured geocoder is asked once for who has stopped typing, never for each letter', async (t) => {
  const nominatim = await startReceiver()
  t.after(() => nominatim.close())
  nominatim.always(answer(200, { body: JSON.stringify([{ lat: '44.4317', lon: '26.1015', place_rank: 30 }]) }))
  const server = await startServer(t, {
    WAYBILL_GEOCODER: 'nominatim',
    WAYBILL_GEOCODER_URL: `http://127.0.0.1:${nominatim.port}`,
    WAYBILL_GEOCODER_RATE: '50',
  })
  const text = 'Strada Lipscani 12'
  for (const length of [5, 10, 15, 18]) await suggest(server, text.slice(0, length))
  assert.equal(nominatim.requests.length, 0)
  await suggest(server, 'Strada', { thorough: 'true' })
  assert.equal(nominatim.requests.length, 0, 'so few letters are no address')

  for (const _ of [1, 2]) {
    const [place] = await suggest(server, text, { thorough: 'true' })
    assert.deepEqual([place.lat, place.precisionDetail, place.source], [44.4317, 'house', 'geocoder'])
  }
  assert.equal(nominatim.requests.length, 1, 'and what it said is remembered')

  nominatim.always(answer(500, {}))
  assert.deepEqual(
    await suggest(server, 'Strada Necunoscută 9', { thorough: 'true' }),
    [],
    'a fault of it is none of ours',
  )
})

test('what is near is given as two numbers, or refused', async (t) => {
  const server = await startServer(t)
  const { status, body } = await server.get('/places?q=pipera&near=here')
  assert.deepEqual([status, body.error.field], [400, 'near'])
})
