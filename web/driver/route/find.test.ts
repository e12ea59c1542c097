import assert from 'node:assert/strict'
import test from 'node:test'
import { findStops } from './find.ts'

const stop = (awb: string, address: string, name: string, phone: string) => ({
  awb,
  address: { address, addressSecondLine: 'Scara B', area: null, city: 'București' } as Parameters<
    typeof findStops
  >[0][number]['address'],
  customer: { name, phone },
})
const stops = [
  stop('RO-4711', 'Strada Ștefan cel Mare 12', 'Ioana Țurcanu', '+40722000111'),
  stop('RO-4712', 'Calea Victoriei 3', 'Mihai Pop', '+40733000222'),
  { ...stop('X-9', 'Bulevardul Unirii 5', '', ''), customer: null },
]
const found = (text: string) => findStops(stops, text).map(({ awb }) => awb)

test('a stop is found by its AWB, address, customer or phone, without accents and in any case', () => {
  assert.deepEqual(found('4711'), ['RO-4711'])
  assert.deepEqual(found('ro-47'), ['RO-4711', 'RO-4712'])
  assert.deepEqual(found('stefan 12'), ['RO-4711'])
  assert.deepEqual(found('TURCANU'), ['RO-4711'])
  assert.deepEqual(found('victoriei mihai'), ['RO-4712'])
  assert.deepEqual(found('0733 000'), ['RO-4712'])
  assert.deepEqual(found('+40 733-000-222'), ['RO-4712'])
  assert.deepEqual(found('unirii'), ['X-9'])
})

test('nothing typed, or what no stop has, finds none', () => {
  for (const text of ['', '  ', 'Cluj', '0799', 'stefan 3']) assert.deepEqual(found(text), [], text)
})
