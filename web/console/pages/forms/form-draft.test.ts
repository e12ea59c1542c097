import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveItem, newField, readFields } from './form-draft.ts'

test('a field without a key gets one from its question, and no two get the same', () => {
  const labels = ['Cine a primit?', 'Cine a primit', '???', '电话']
  const keys = readFields(labels.map((label, id) => ({ ...newField(id), label }))).map(({ field_key }) => field_key)
  assert.deepEqual(keys, ['cine_a_primit', 'cine_a_primit_2', 'field', 'field_2'])

  const [own, made] = readFields([
    { ...newField(1), label: 'Door', field_key: ' door ' },
    { ...newField(2), label: 'Door' },
  ])
  assert.deepEqual([own?.field_key, made?.field_key], ['door', 'door_2'])
})

test('empty lines are no choices, and empty labels no labels', () => {
  const [field] = readFields([
    { ...newField(1), label: ' Who ', choices: 'A\n\n B \n', labels: { ro: ' ', en: 'Who' } },
  ])
  assert.deepEqual([field?.label, field?.choices, field?.labels], ['Who', ['A', 'B'], { en: 'Who' }])
})

test('a field moves up and down', () => {
  assert.deepEqual(moveItem(['a', 'b', 'c'], 2, -1), ['a', 'c', 'b'])
  assert.deepEqual(moveItem(['a', 'b', 'c'], 0, 1), ['b', 'a', 'c'])
})
