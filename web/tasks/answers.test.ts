import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FormField } from '../../core/form.ts'
import { answersOf } from './answers.ts'

const aField = (field_key: string, given: Partial<FormField> = {}): FormField => ({
  field_key,
  label: field_key,
  labels: {},
  type: 'text',
  required: false,
  choices: [],
  at: 'complete',
  ...given,
})

test('answers stand in the order of the form, in the language of the page; what the form no longer asks comes last', () => {
  const answers = [
    { field_key: 'gone', answer: 'Old' },
    { field_key: 'view', answer: '/files/1' },
    { field_key: 'who', answer: '/files/2' },
  ]
  const fields = [aField('who', { label: 'Who?', labels: { ro: 'Cine?' } }), aField('view', { type: 'photo' })]
  const shown = answersOf({ mobileTaskForm: JSON.stringify(answers) }, fields, 'ro')
  assert.deepEqual(
    shown.map(({ label, answer, image }) => [label, answer, image]),
    [
      ['Cine?', '/files/2', undefined],
      ['view', '/files/1', '/files/1'],
      ['gone', 'Old', undefined],
    ],
  )
  assert.deepEqual(answersOf({ mobileTaskForm: null }, fields, 'ro'), [])
})
