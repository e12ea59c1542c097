import type { Static } from 'typebox'
import { longest } from './limits.ts'
import { Id, Time, Words, WordsByLanguage } from './schema.ts'
import { Type } from './type.ts'

const Optional = Type.Optional

export const ReasonCode = (description = 'Letters, digits, - and _; it never changes') =>
  Type.String({
    pattern: `^[A-Za-z0-9_-]{1,${longest.reasonCode}}$`,
    description,
    'x-rule': `must be 1 to ${longest.reasonCode} letters, digits, - or _`,
  })

const fields = {
  label: Optional(Words(longest.name)),
  labels: Optional(WordsByLanguage('The label in other languages, by language code: `{"ro": "Nimeni acasă"}`')),
  photoRequired: Optional(Type.Boolean({ description: 'Drivers must add a photo before they fail a task with it' })),
  noteRequired: Optional(Type.Boolean({ description: 'Drivers must say more: in `reason`, or in a note' })),
}

export const ReasonInput = Type.Object(
  { code: ReasonCode(), ...fields },
  { title: 'ReasonInput', description: 'Without a label, the first of the labels is the label' },
)
export type ReasonInput = Static<typeof ReasonInput>

export const ReasonUpdate = Type.Object(fields, { title: 'ReasonUpdate' })
export type ReasonUpdate = Static<typeof ReasonUpdate>

export const Reason = Type.Object(
  {
    id: Id(),
    code: Type.String(),
    label: Type.String({ description: 'What a task that failed with it says in `cancelReason`' }),
    labels: WordsByLanguage('The label in other languages'),
    photoRequired: Type.Boolean(),
    noteRequired: Type.Boolean(),
    createdAt: Time(),
    updatedAt: Time(),
  },
  { title: 'Reason' },
)
export type Reason = Static<typeof Reason>
