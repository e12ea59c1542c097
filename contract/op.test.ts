import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from './errors.ts'
import { longest } from './limits.ts'
import { OpInput, type OpType, opTypes } from './op.ts'
import { openApiDocument } from './openapi.ts'
import { reader } from './read/reader.ts'

const read = reader(OpInput, 'the item')
const refusalOf = (op: unknown): Refusal => {
  try {
    read(op)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  assert.fail(`${JSON.stringify(op)} should have been refused`)
}

const named = { opId: 'a', occurredAt: '2026-11-16T09:00:00Z' }
const fileId = '6f1d7a52-0c7e-4a0f-9a53-9d3f5f0d2a11'
/** What each cannot do without. */
const needs: Record<OpType, object> = {
  accept: { taskId: 1 },
  start: { taskId: 1 },
  arrive: { taskId: 1 },
  complete: { taskId: 1 },
  fail: { taskId: 1 },
  note: { taskId: 1, note: 'Third floor' },
  photo: { taskId: 1, fileId },
  signature: { taskId: 1, fileId },
  scan: { taskId: 1, code: 'A-1' },
  load: { code: 'A-1' },
  payment: { taskId: 1, amount: 78, method: 'cash' },
  form: { taskId: 1, answers: [{ field_key: 'door', answer: 'red' }] },
  duty: { inShift: true },
  seen: {},
  takeBack: { of: 'b' },
}

test('an op with what its type needs is read, and without any of it refused by the name of the field', () => {
  assert.deepEqual(opTypes, Object.keys(needs))
  for (const [type, fields] of Object.entries(needs)) {
    const op = { ...named, type, ...fields }
    assert.deepEqual(read(op), op)
    for (const field of Object.keys(fields)) {
      const { code, message, field: at } = refusalOf({ ...op, [field]: null })
      assert.deepEqual([code, message, at], ['VALIDATION_FAILED', `${field} is required`, field], type)
    }
  }
})

test('what is wrong in itself comes first, then what the type needs', () => {
  const says = (op: unknown) => refusalOf(op).message
  assert.equal(says({ ...named, type: 'payment' }), 'taskId is required, and 2 more fields are not valid')
  assert.equal(says({ ...named, opId: '', type: 'payment' }), 'opId must not be empty')
  assert.equal(says({ type: 'payment' }), 'opId is required, and 1 more field is not valid')
  assert.equal(says({ ...named, type: 'fly' }), `type must be one of ${opTypes.join(', ')}`)
  assert.equal(says({ ...named }), 'type is required')
  assert.equal(says(5), 'the item must be an object')
})

test('fields of other types are checked and kept, for a repeat must be equal; what nobody knows is ignored', () => {
  const start = { ...named, type: 'start', taskId: 1 }
  assert.deepEqual(read({ ...start, amount: '5', colour: 'red' }), { ...start, amount: 5 })
  assert.equal(refusalOf({ ...start, amount: 'x' }).message, 'amount must be a number')
})

test('an answer that can be typed is short enough, whatever its letters', () => {
  const answered = (answer: string) => ({ ...named, type: 'form', taskId: 1, answers: [{ field_key: 'door', answer }] })
  for (const letter of ['x', 'ș', '€', '"']) assert.ok(read(answered(letter.repeat(longest.typedAnswer))), letter)
  assert.equal(refusalOf(answered('€'.repeat(longest.typedAnswer + 10))).field, 'answers.0.answer')
})

interface Component {
  required?: string[]
  properties?: Record<string, { description?: string }>
  oneOf?: { $ref: string }[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
}
const { schemas } = openApiDocument('1', 'http://test')['components'] as { schemas: Record<string, Component> }
const at = (ref: string) => schemas[ref.replace('#/components/schemas/', '')] as Component

test('the document says which fields each op needs', () => {
  const { oneOf = [], discriminator } = schemas['OpInput'] as Component
  assert.equal(discriminator?.propertyName, 'type')
  assert.deepEqual(Object.keys(discriminator.mapping), opTypes)
  assert.deepEqual(
    new Set(Object.values(discriminator.mapping)),
    new Set(oneOf.map(({ $ref }) => $ref)),
    'each type leads to one of the objects, and each object has a type',
  )
  for (const [type, ref] of Object.entries(discriminator.mapping))
    assert.deepEqual(
      new Set(at(ref).required),
      new Set(['opId', 'type', 'occurredAt', ...Object.keys(needs[type as OpType])]),
      type,
    )
})

test('a field means the same in every op that has it', () => {
  const seen = new Map<string, string>()
  for (const { $ref } of schemas['OpInput']?.oneOf ?? [])
    for (const [name, { description: _, ...schema }] of Object.entries(at($ref).properties ?? {}))
      if (name !== 'type') assert.equal(seen.getOrInsert(name, JSON.stringify(schema)), JSON.stringify(schema), name)
})

test('the types say it too', () => {
  const ops: OpInput[] = [
    { ...named, type: 'duty', inShift: true },
    // @ts-expect-error a payment needs its method
    { ...named, type: 'payment', taskId: 1, amount: 78 },
    // @ts-expect-error a start is of a task
    { ...named, type: 'start' },
    // @ts-expect-error a note has no amount
    { ...named, type: 'note', taskId: 1, note: 'x', amount: 78 },
  ]
  assert.equal(ops.length, 4)
})
