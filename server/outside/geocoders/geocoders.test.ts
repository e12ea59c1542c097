import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { answer, type Behaviour, hang, huge, reset, startReceiver, tooMany } from '../../test/receiver.ts'
import { enginePolicy } from '../addresses.ts'
import { OutsideError } from '../fault.ts'
import { createOutside, type Outside } from '../fetch.ts'
import { BusyError, type Geocoder, type Place } from './geocoder.ts'
import { google } from './google.ts'
import { nominatim } from './nominatim.ts'
import { photon } from './photon.ts'

/* Every geocoder finds the same house in its recorded answer, and fails on the same kinds of nonsense. */

interface Kind {
  make: (outside: Outside, url: string) => Geocoder
  /** Its answers for no such place, and for only the street. */
  nothing: object
  street: (recorded: never) => object
  asks: RegExp
}

const kinds: Record<string, Kind> = {
  nominatim: {
    make: nominatim,
    nothing: [],
    street: ([best]: [object]) => [{ ...best, place_rank: 26, type: 'pedestrian', addresstype: 'road' }],
    asks: /^\/search\?q=Strada\+Lipscani\+12%2C\+030031%2C\+Bucure%C8%99ti&countrycodes=ro&format=jsonv2&limit=1$/,
  },
  photon: {
    make: photon,
    nothing: { type: 'FeatureCollection', features: [] },
    street: ({ features: [, best] }: { features: { properties: object }[] }) => ({
      features: [{ ...best, properties: { ...best?.properties, type: 'street' } }],
    }),
    asks: /^\/api\?q=Strada\+Lipscani\+12%2C\+030031%2C\+Bucure%C8%99ti&limit=5$/,
  },
  google: {
    make: (outside, url) => google(outside, url, 'a-key'),
    nothing: { status: 'ZERO_RESULTS', results: [] },
    street: ({ results: [best] }: { results: object[] }) => ({
      status: 'OK',
      results: [{ ...best, partial_match: true }],
    }),
    asks: /^\/maps\/api\/geocode\/json\?address=Strada\+Lipscani\+12%2C\+030031%2C\+Bucure%C8%99ti&components=country%3ARO&key=a-key$/,
  },
}

const place: Place = {
  address: 'Strada Lipscani 12',
  city: 'București',
  area: null,
  country: 'RO',
  street_name: 'Strada Lipscani',
  street_number: '12',
  postal_code: '030031',
}

const json = (body: unknown) => answer(200, { body: JSON.stringify(body) })
const recording = async (name: string) =>
  JSON.parse(await readFile(new URL(`recorded/${name}.json`, import.meta.url), 'utf8'))

async function start(t: TestContext, kind: Kind, behaviour: Behaviour) {
  const receiver = await startReceiver(t)
  receiver.always(behaviour)
  const outside = createOutside(enginePolicy)
  t.after(outside.close)
  return { receiver, geocoder: kind.make(outside, `http://127.0.0.1:${receiver.port}`) }
}

for (const [name, kind] of Object.entries(kinds)) {
  test(`${name}: the house is found in a recorded answer`, async (t) => {
    const { geocoder, receiver } = await start(t, kind, json(await recording(name)))
    assert.deepEqual(await geocoder.find(place), {
      lat: 44.4317462,
      lng: 26.1015103,
      precision: 'exact',
      detail: 'house',
    })
    assert.match(receiver.requests[0]?.url ?? '', kind.asks)
    assert.equal(geocoder.name, name)
  })

  test(`${name}: a place found only by its street is approximate`, async (t) => {
    const { geocoder } = await start(t, kind, json(kind.street((await recording(name)) as never)))
    const found = await geocoder.find(place)
    assert.deepEqual([found?.precision, found?.detail], ['approximate', 'street'])
  })

  test(`${name}: an address that does not exist is not found`, async (t) => {
    const { geocoder } = await start(t, kind, json(kind.nothing))
    assert.equal(await geocoder.find(place), undefined)
  })

  test(`${name}: an address in another script arrives as it was written`, async (t) => {
    const { geocoder, receiver } = await start(t, kind, json(kind.nothing))
    await geocoder.find({
      ...place,
      address: 'вулиця Дерибасівська 1, Одеса & Co',
      city: null,
      postal_code: null,
      country: 'UA',
    })
    const { searchParams } = new URL(receiver.requests[0]?.url ?? '', 'http://geocoder.test')
    assert.equal(searchParams.get('q') ?? searchParams.get('address'), 'вулиця Дерибасівська 1, Одеса & Co')
  })

  test(`${name}: a request to wait says for how long`, async (t) => {
    const { geocoder } = await start(t, kind, tooMany('120'))
    await assert.rejects(geocoder.find(place), (error) => error instanceof BusyError && error.retryAfterSeconds === 120)
  })

  const recorded = await recording(name)
  /** The recorded answer with other coordinates. */
  const elsewhere = (lat: unknown, lng: unknown) =>
    JSON.parse(JSON.stringify(recorded), (key, value) => {
      if (key === 'lat') return lat
      if (key === 'lon' || key === 'lng') return lng
      return key === 'coordinates' ? [lng, lat] : value
    })

  const nonsense: [what: string, Behaviour][] = [
    ['a page', answer(200, { body: '<html>Welcome</html>' })],
    ['nothing', answer(200)],
    ['null', json(null)],
    ['a number', json(7)],
    ['an error', answer(500)],
    ['a refusal', answer(403, { body: '{"error":"blocked"}' })],
    ['a redirect', answer(301, { headers: { location: 'https://elsewhere.test' } })],
    ['a place beyond the pole', json(elsewhere(91, 26))],
    ['no coordinates', json(elsewhere(null, null))],
    ['coordinates in words', json(elsewhere('north', 'east'))],
    ['the point where all unknown places are', json(elsewhere(0, 0))],
    ['a megabyte', huge(1_000_000)],
    ['a closed connection', reset],
  ]
  for (const [what, behaviour] of nonsense)
    test(`${name}: ${what} instead of an answer is a failure that reveals nothing about our network`, async (t) => {
      const { geocoder } = await start(t, kind, behaviour)
      await assert.rejects(
        geocoder.find(place),
        (error) => error instanceof OutsideError && !/127\.0\.0\.1/.test(error.message),
      )
    })

  test(`${name}: stopping does not wait for an answer`, async (t) => {
    const { geocoder } = await start(t, kind, hang)
    await assert.rejects(geocoder.find(place, AbortSignal.timeout(30)), OutsideError)
  })
}

test('google: a refused key and a used-up quota are told apart', async (t) => {
  const kind = kinds['google'] as Kind
  const denied = await start(t, kind, json({ status: 'REQUEST_DENIED', results: [], error_message: 'key a-key' }))
  await assert.rejects(denied.geocoder.find(place), /^OutsideError: Google does not accept the key$/)
  const empty = await start(t, kind, json({ status: 'OVER_QUERY_LIMIT', results: [] }))
  await assert.rejects(empty.geocoder.find(place), BusyError)
})
