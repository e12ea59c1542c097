import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from './type.ts'

const sample = (type: typeof Type) => {
  const text = type.String({ minLength: 1, description: 'Some text' })
  return type.Object(
    {
      text,
      plain: type.String(),
      number: type.Optional(type.Number({ minimum: 0 })),
      whole: type.Integer({ maximum: 9 }),
      flag: type.Optional(type.Boolean()),
      list: type.Array(text, { maxItems: 3 }),
      inner: type.Optional(type.Object({ again: type.Optional(text) })),
      one: type.Union([type.Literal('a'), type.Literal(2), type.Literal(true)], { title: 'One' }),
      other: type.Unsafe<Date>({ type: ['string', 'null'], 'x-other': true }),
    },
    { title: 'Sample', additionalProperties: false },
  )
}

test('a schema is written as TypeBox writes it', () => {
  assert.equal(JSON.stringify(sample(Type)), JSON.stringify(sample(TypeBox)))
})

test('what is optional here stays required elsewhere', () => {
  const name = Type.String()
  const shared = { name: Type.Optional(name) }
  assert.equal(Type.Object(shared).required, undefined)
  assert.deepEqual(Type.Object({ ...shared, again: name }).required, ['again'])
})
