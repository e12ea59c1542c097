import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditKinds } from '../../../../contract/audit.ts'
import { recordSayIn, textsOf } from '../../../test/words.ts'
import { choices, type Entry, tableOf, tellActor, tellField, tellKind, tellSubject, tellValue } from './tell.ts'

const [en, ro] = [recordSayIn('en'), recordSayIn('ro')]
const settings = await textsOf('settings')

const entry: Entry = {
  id: 1,
  at: '2026-11-17T10:00:00.000Z',
  kind: 'key.created',
  actor: { type: 'ADMIN', id: 3, name: 'Ana Pop' },
  address: '198.51.100.7',
  userAgent: 'Firefox',
  subject: { type: 'key', id: 8, name: 'Shop' },
  changes: [
    { field: 'name', after: 'Shop' },
    { field: 'scopes', after: ['tasks:read', 'tasks:write'] },
    { field: 'expiresAt', before: null, after: '2027-01-01T00:00:00.000Z' },
    { field: 'phone' },
  ],
  count: 1,
}

test('every kind can be chosen, and is said in both languages', () => {
  const kinds = Object.keys(auditKinds)
  const chosen = Object.values(choices).flatMap((list) => list.split(','))
  for (const kind of kinds) {
    assert.ok(chosen.includes(kind) || chosen.includes(kind.split('.')[0] as string), kind)
    assert.notEqual(tellKind(kind, en), kind)
    assert.notEqual(tellKind(kind, ro), kind)
  }
  assert.equal(tellKind('moon.landed', en), 'moon.landed')
})

test('an actor is a person, a driver, a key, or what we know of it', () => {
  assert.equal(tellActor(entry.actor, en), 'Ana Pop')
  assert.equal(tellActor({ type: 'API', id: 8, name: 'Shop' }, ro), 'Cheie API: Shop')
  assert.equal(tellActor({ type: 'DRIVER', id: 9, name: null }, en), '#9')
  assert.equal(tellActor({ type: 'NOBODY', id: null, name: null }, ro), 'Necunoscut')
  assert.equal(tellActor({ type: 'COMMAND_LINE', id: null, name: null }, en), 'Command line')
})

test('a subject is named once, by what it is called now or was called then', () => {
  assert.equal(tellSubject(entry), 'Shop')
  assert.equal(tellSubject({ ...entry, subject: { type: 'person', id: 3, name: 'Ana Pop' } }), '')
  assert.equal(tellSubject({ ...entry, subject: { type: 'company', id: 1, name: null } }), '')
  assert.equal(
    tellSubject({
      ...entry,
      subject: { type: 'webhook', id: 5, name: null },
      changes: [{ field: 'host', before: 'a.ro' }],
    }),
    'a.ro',
  )
  assert.equal(tellSubject({ ...entry, subject: { type: 'proofLink', id: 5, name: null }, changes: [] }), '#5')
  assert.equal(tellSubject({ ...entry, subject: { type: 'erasure', id: 3, name: null }, changes: [] }), '#3')
})

test('fields and values are said as the console says them', () => {
  assert.equal(tellField('phone', settings.ro, ro), 'Telefon')
  assert.equal(tellField('enableAWB', settings.en, en), 'Own AWBs')
  assert.equal(tellField('overlapHours', settings.en, en), 'overlapHours')
  assert.equal(tellValue('statusId', 9, settings.en, en), en('state9'))
  assert.equal(tellValue('enableAWB', false, settings.ro, ro), 'Nu')
  assert.equal(tellValue('teams', [1, 2], settings.en, en), '1, 2')
  assert.equal(tellValue('reason', null, settings.en, en), '–')
  assert.equal(tellValue('automaticStartField', 'completeAfter', settings.ro, ro), 'Începutul intervalului')
  assert.equal(tellValue('messageFirstChannel', 'sms', settings.en, en), 'SMS')
  assert.equal(tellValue('reason', 'request', settings.ro, ro), 'La cerere')
})

test('the file has a line for each entry', () => {
  const { headers, rows } = tableOf([entry], settings.en, en, (time) => time)
  assert.deepEqual(headers, ['Time', 'Who', 'What', 'Subject', 'Details', 'Count', 'Address', 'Program', 'kind'])
  assert.deepEqual(rows, [
    [
      '2026-11-17T10:00:00.000Z',
      'Ana Pop',
      'Created a key',
      'Shop',
      'Name: Shop; scopes: tasks:read, tasks:write; expiresAt: – → 2027-01-01T00:00:00.000Z; Phone',
      1,
      '198.51.100.7',
      'Firefox',
      'key.created',
    ],
  ])
})
