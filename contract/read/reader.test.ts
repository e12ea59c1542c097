import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../errors.ts'
import { AnyJson, Awb, Each, Nullable, Text, Whole } from '../schema.ts'
import { Type } from '../type.ts'
import { reader } from './reader.ts'

const Parcel = Type.Object({
  awb: Awb,
  weight: Type.Optional(Whole()),
  price: Type.Optional(Nullable(Whole())),
  fragile: Type.Optional(Type.Boolean()),
  note: Type.Optional(Text(10)),
  extra: Type.Optional(Nullable(AnyJson())),
  place: Type.Optional(Type.Object({ lat: Type.Optional(Type.Number()), name: Type.Optional(Nullable(Text(5))) })),
  buyer: Type.Optional(Nullable(Type.Object({ name: Text(5) }))),
  parts: Type.Optional(Type.Array(Type.Union([Awb, Type.Object({ awb: Awb })]))),
})
const read = reader(Parcel)

const refusal = (value: unknown): Refusal => {
  try {
    read(value)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  assert.fail('this should have been refused')
}

test('numbers and booleans may come as text, references as numbers', () => {
  assert.deepEqual(read({ awb: 4711, weight: '12', price: '0', fragile: 'False', place: { lat: '44.4' } }), {
    awb: '4711',
    weight: 12,
    price: 0,
    fragile: false,
    place: { lat: 44.4 },
  })
})

test('null counts as not given where a field cannot be null, and stays null where it can', () => {
  assert.deepEqual(
    read({
      awb: 'A',
      weight: null,
      price: null,
      fragile: null,
      note: null,
      extra: null,
      place: { lat: null, name: null },
    }),
    { awb: 'A', price: null, extra: null, place: { name: null } },
  )
  assert.deepEqual(read({ awb: 'A', buyer: null }), { awb: 'A', buyer: null })
  assert.equal(refusal({ awb: null }).message, 'awb is required')
})

test('an empty text never turns into a number or a boolean', () => {
  assert.equal(refusal({ awb: 'A', weight: '' }).field, 'weight')
  assert.equal(refusal({ awb: 'A', fragile: '' }).field, 'fragile')
  assert.equal(refusal({ awb: 'A', weight: ' ' }).field, 'weight')
})

test('unknown fields are ignored, whatever they are called', () => {
  const body = JSON.parse('{"awb":"A","__proto__":{"weight":1},"constructor":2,"colour":"red"}')
  assert.deepEqual(Object.keys(read(body)), ['awb'])
  assert.equal(read(body).weight, undefined)
})

test('every field that is not right is named, in words', () => {
  const refused = refusal({ awb: 'a/b', weight: -1, note: 'much too long', place: 'here', buyer: {} })
  assert.equal(refused.code, 'VALIDATION_FAILED')
  assert.deepEqual(
    refused.details?.map(({ message }) => message),
    [
      'awb must be 1 to 64 printable characters without a slash, not only spaces, and not "." or ".."',
      'weight must be at least 0',
      'note must be at most 10 characters long',
      'place must be an object',
      'buyer.name is required',
    ],
  )
})

test('the body itself must be an object', () => {
  for (const body of [[], 'text', 4, true, null]) assert.equal(refusal(body).message, 'the body must be an object')
})

test('characters that cannot be stored are refused, in text and inside any JSON', () => {
  assert.equal(refusal({ awb: 'A', note: 'a\0b' }).field, 'note')
  assert.equal(refusal({ awb: 'A', note: '\ud800' }).field, 'note')
  assert.equal(refusal({ awb: 'A', extra: { deep: ['\udc00'] } }).field, 'extra')
  assert.equal(refusal({ awb: 'A', extra: { '\0': 1 } }).field, 'extra')
})

test('JSON nested very deep is refused instead of overflowing the stack', () => {
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
  assert.match(refusal({ awb: 'A', extra: nested(33) }).message, /^extra is nested more than 32 levels/)
  assert.equal(refusal({ awb: 'A', extra: nested(100_000) }).field, 'extra')
  assert.deepEqual(read({ awb: 'A', unknown: nested(100_000) }), { awb: 'A' })
})

test('JSON of any shape is taken up to 64 kB as PostgreSQL prints it, and named once if it is more', () => {
  const cases: [largest: number, of: (count: number) => unknown][] = [
    [32_767, (count) => 'é'.repeat(count)],
    [10_922, (count) => '\u0001'.repeat(count)],
    [21_844, (count) => Array(count).fill(1)],
    [215, (count) => Array(count).fill(1e300)],
    [212, (count) => Array(count).fill(-1.5e-300)],
    [9_362, (count) => Array(count).fill(null)],
    [16_383, (count) => Array(count).fill({})],
  ]
  for (const [largest, of] of cases) {
    assert.ok(read({ awb: 'A', extra: of(largest) }), `${largest}`)
    const refused = refusal({ awb: 'A', extra: of(largest + 1) })
    assert.deepEqual([refused.field, refused.details], ['extra', undefined], `${largest + 1}`)
    assert.match(refused.message, /at most 65536 bytes of JSON/)
  }
  const manyBad = refusal({ awb: 'A', extra: Array(5_000).fill('\0') })
  assert.deepEqual([manyBad.field, manyBad.details], ['extra', undefined])
  assert.match(refusal({ awb: 'A', extra: JSON.parse('[1e999]') }).message, /extra has a number that is too large/)
})

test('items of a list of many are judged one by one', () => {
  const readMany = reader(Type.Object({ parcels: Each(Parcel) }))
  const { parcels } = readMany({ parcels: [{ awb: 'A' }, { weight: 1 }, 7] })
  assert.deepEqual(parcels[0], { awb: 'A' })
  assert.ok(parcels[1] instanceof Refusal && parcels[1].field === 'awb')
  assert.ok(parcels[2] instanceof Refusal)
  assert.throws(
    () => readMany({ parcels: Array(1001).fill({}) }),
    (error) => error instanceof Refusal && error.code === 'TOO_MANY_ITEMS' && error.field === 'parcels',
  )
})

test('what may be a text or an object is read as what it is', () => {
  assert.deepEqual(read({ awb: 'A', parts: ['B', 3, { awb: 4, colour: 'red' }] }).parts, ['B', '3', { awb: '4' }])
  for (const wrong of ['a/b', true, {}, { awb: 'a/b' }])
    assert.equal(refusal({ awb: 'A', parts: ['B', wrong] }).field, 'parts.1')
})

test('a reference may hold anything printable but a slash', () => {
  for (const awb of ['a b', '100%', 'q?x#y', '"quoted"', "o'neill", '📦-1', 'ăîș', '..a'])
    assert.equal(read({ awb }).awb, awb)
  for (const awb of ['', ' ', '\u00A0', '.', '..', 'a/b', 'tab\there', 'line\nbreak', 'x'.repeat(65)])
    assert.equal(refusal({ awb }).field, 'awb', JSON.stringify(awb))
})

test('a field says which rule it breaks, and the number of the rule, so that programs need not read sentences', () => {
  const broken = (value: object) => {
    const { field, rule, limit } = refusal({ awb: 'A-1', ...value })
    return [field, rule, limit]
  }
  assert.deepEqual(broken({ awb: undefined }), ['awb', 'required', undefined])
  assert.deepEqual(broken({ note: 'x'.repeat(11) }), ['note', 'maxLength', 10])
  assert.deepEqual(broken({ weight: -1 }), ['weight', 'minimum', 0])
  assert.deepEqual(broken({ weight: 1.5 }), ['weight', 'wholeNumber', undefined])
  assert.deepEqual(broken({ fragile: 'maybe' }), ['fragile', 'type', undefined])
  assert.deepEqual(broken({ awb: 'a/b' }), ['awb', 'format', undefined])
  assert.deepEqual(
    refusal({ awb: '', note: 'x'.repeat(11) }).details?.map(({ field, rule, limit }) => [field, rule, limit]),
    [
      ['awb', 'format', undefined],
      ['note', 'maxLength', 10],
    ],
  )
})
