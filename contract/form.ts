import type { Static } from 'typebox'
import { type FieldType, fieldTypes, type Moment, moments } from '../core/form.ts'
import { longest, mostChoices, mostFields, mostJson } from './limits.ts'
import { AnyJson, Id, Name, Time, Words, WordsByLanguage } from './schema.ts'
import { Type } from './type.ts'

const Optional = Type.Optional

const FieldKey = Type.String({
  pattern: `^[\\w.-]{1,${longest.fieldKey}}$`,
  description: 'By what answers name the field; unique in the form',
  'x-rule': `must be 1 to ${longest.fieldKey} letters, digits, dots, dashes or underscores`,
})
const Kind = Type.Unsafe<FieldType>({ type: 'string', enum: [...fieldTypes] })
const At = Type.Unsafe<Moment>({
  type: 'string',
  enum: [...moments],
  description: 'Asked before a task is completed (default), or before it is failed',
})
const Required = 'Without an answer the task cannot be completed, or failed; a check is answered by yes or no'

const FieldInput = Type.Object(
  {
    field_key: FieldKey,
    label: Name({ description: 'What the driver reads' }),
    labels: Optional(WordsByLanguage('The label in other languages, by language code')),
    type: Kind,
    required: Optional(Type.Boolean({ description: Required })),
    choices: Optional(Type.Array(Words(longest.name), { maxItems: mostChoices, description: 'Of a choice' })),
    at: Optional(At),
  },
  { title: 'FormFieldInput' },
)
const Fields = Type.Array(FieldInput, {
  maxItems: mostFields,
  'x-most': mostJson,
  description: 'In the order in which they are asked',
})
const isDefault = Type.Boolean({ description: 'The form of every task that names none; at most one form is' })

export const FormInput = Type.Object(
  { name: Optional(Name({ description: 'Defaults to `Form`' })), fields: Fields, isDefault: Optional(isDefault) },
  { title: 'FormInput' },
)
export type FormInput = Static<typeof FormInput>

export const FormUpdate = Type.Object(
  { name: Optional(Name()), fields: Optional(Fields), isDefault: Optional(isDefault) },
  { title: 'FormUpdate' },
)
export type FormUpdate = Static<typeof FormUpdate>

const Field = Type.Object(
  {
    field_key: FieldKey,
    label: Type.String(),
    labels: WordsByLanguage(),
    type: Kind,
    required: Type.Boolean(),
    choices: Type.Array(Type.String()),
    at: At,
  },
  { title: 'FormField' },
)

export const Form = Type.Object(
  { id: Id(), name: Type.String(), fields: Type.Array(Field), isDefault, createdAt: Time(), updatedAt: Time() },
  { title: 'Form' },
)
export type Form = Static<typeof Form>

/** An answer in an op. What it may be depends on the field. */
export const AnswerInput = Type.Object(
  {
    field_key: Words(longest.fieldKey),
    answer: AnyJson('Text, a number, true or false, or the id of a picture; null takes it back', longest.answer),
  },
  { title: 'AnswerInput' },
)
