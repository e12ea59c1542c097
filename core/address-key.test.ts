import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressKeys, foldAddress, mayBeOf, type WrittenAddress } from './address-key.ts'

const at = (address: string, parts: Partial<WrittenAddress> = {}): WrittenAddress => ({
  address,
  city: null,
  area: null,
  country: 'RO',
  street_name: null,
  street_number: null,
  postal_code: null,
  ...parts,
})
const keys = (address: string, parts?: Partial<WrittenAddress>) => addressKeys(at(address, parts))

test('one house is one place however it is written', () => {
  const house = keys('Strada Ștefan cel Mare nr. 12A, Timișoara')
  assert.equal(house.length, 1)
  for (const text of [
    'str. stefan cel mare 12 a timisoara',
    'STR STEFAN CEL MARE, NR.12A, TIMIŞOARA',
    'Strada Ștefan cel Mare 12A, ap. 4, Timișoara',
    'Strada Ștefan cel Mare 12A, et. 3, ap.14B, interfon 14, Timișoara',
    'Str. Stefan cel Mare 12A, parter, apartamentul 2, Timisoara',
  ])
    assert.deepEqual(keys(text), house, text)
  assert.deepEqual(keys('Str. Ștefan cel Mare 12A', { city: 'Timișoara' }), house, 'the town as a part of its own')
  assert.deepEqual(keys('Str. Ștefan cel Mare 12A, Timișoara', { city: 'Timisoara', street_number: '12A' }), house)
})

test('what may be another house is another place', () => {
  const texts = [
    'Str. Lalelelor 12, Timișoara',
    'Str. Lalelelor 12A, Timișoara',
    'Str. Lalelelor 12/4, Timișoara',
    'Str. Lalelelor 124, Timișoara',
    'Str. Lalelelor 12-4, Timișoara',
    'Str. Lalelelor 12, bl. 3, Timișoara',
    'Str. Lalelelor 12, bl. 5, Timișoara',
    'Str. Lalelelor 12, Arad',
    'Aleea Lalelelor 12, Timișoara',
  ]
  const all = texts.flatMap((text) => keys(text))
  assert.equal(new Set(all).size, texts.length, all.join('\n'))
  assert.notDeepEqual(keys('Str. Lalelelor', { street_number: '5' }), keys('Str. Lalelelor', { street_number: '7' }))
  assert.notDeepEqual(keys(texts[0] as string), keys(texts[0] as string, { country: 'MD' }))
})

test('a staircase has its own place, and else that of its house', () => {
  const [staircase, house, ...none] = keys('Str. Lalelelor 12, bl. 3, sc. B, et. 2, ap. 9')
  assert.deepEqual(none, [])
  assert.deepEqual(keys('Str. Lalelelor 12, bloc 3'), [house])
  assert.deepEqual(keys('Str. Lalelelor 12, bl. 3, sc. A')[1], house)
  assert.notEqual(keys('Str. Lalelelor 12, bl. 3, sc. A')[0], staircase)
})

test('an address without a house is that of many, and is not known by anything', () => {
  for (const text of [
    'București',
    'Strada Lungă, Brașov',
    'Calea 13 Septembrie, București',
    'Sector 3, 030031 București',
    'Comuna Valea Mare, ap. 5',
    '',
  ])
    assert.deepEqual(keys(text), [], text)
  assert.equal(keys('Calea 13 Septembrie 90, Sector 5, București').length, 1)
  assert.equal(keys('12 High Street, Leeds', { country: 'GB' }).length, 1)
})

test('abroad no part of a street is taken for a floor', () => {
  assert.notDeepEqual(keys('12 rue du 8 et 9 avril', { country: 'FR' }), keys('12 rue du 8 avril', { country: 'FR' }))
})

test('an address of a place passes its first test however it is written, and another street does not', () => {
  const [key = ''] = keys('Bulevardul Ștefan cel Mare nr. 12A, bloc B2, Târgu-Mureș')
  const may = (address: string, parts?: Partial<WrittenAddress>) => mayBeOf(key)(foldAddress(at(address, parts)))
  for (const [text, city] of [
    ['bd stefan cel mare 12 a, bl B2, et. 3, TARGU MURES', null],
    ['B-dul. Ştefan cel Mare, Nr.12A, bl. B2, ap. 7', 'Târgu-Mureș'],
    ['Blvd. Stefan cel Mare 12A bloc B2', 'TÂRGU MUREȘ'],
  ] as const)
    assert.ok(may(text, { city }), text)
  for (const other of ['Bulevardul Ștefan cel Mare 12A, bl. B2, Arad', 'Bulevardul Ion Mincu 12A, bl. B2, Târgu-Mureș'])
    assert.ok(!may(other), other)
})
