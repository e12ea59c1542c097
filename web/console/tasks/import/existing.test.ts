import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRow } from './check.ts'
import type { Mapping } from './columns.ts'
import { fateOf, isToAsk, type KnownRows, readResult, type Said, updateOf } from './existing.ts'
import { planSets, resumeSets, type SendSet } from './sets.ts'

const around = {
  day: '2026-11-15',
  drivers: [{ id: 1, name: 'Ana' }],
  teams: [],
  forms: [],
  money: { decimals: 0 },
  hasOwnAwbs: true,
  hasTeamsAlone: true,
}
const mapping: Mapping = ['awb', 'address', 'quantity', 'driver']
const rowOf = (number: number, ...cells: string[]) => checkRow({ number, cells }, [], mapping, around)
const knowing = (one: ReturnType<typeof rowOf>, said: Said): KnownRows =>
  new Map([[one.row.number, { input: one.input, said }]])
const change = { field: 'quantity', from: 1, to: 2 }
const existing: Said = { is: 'existing', id: 7, statusId: 1, changes: [change] }

test('a row becomes a task, changes one, or is left out, by what is known of its awb', () => {
  const good = rowOf(2, 'A-1', 'x', '2')
  const cases: [what: string, said: Said | undefined, updates: boolean, fate: string][] = [
    ['not asked yet', undefined, true, 'create'],
    ['a new awb', { is: 'new' }, true, 'create'],
    ['an awb that exists', existing, false, 'leftOut'],
    ['an awb that exists, to be updated', existing, true, 'update'],
    ['nothing changes', { ...existing, changes: [] }, true, 'same'],
    ['the task has ended', { ...existing, statusId: 9 }, true, 'ended'],
    ['the server would refuse', { is: 'refused', error: { code: 'INVALID_TIME', message: '' } }, true, 'toFix'],
  ]
  for (const [what, said, updates, fate] of cases)
    assert.equal(fateOf(good, said ? knowing(good, said) : new Map(), updates), fate, what)
})

test('a task that exists needs no address, a new one does', () => {
  const bare = rowOf(2, 'A-1', '', '2')
  assert.ok(isToAsk(bare, new Map()))
  assert.equal(fateOf(bare, new Map(), true), 'toFix')
  assert.equal(fateOf(bare, knowing(bare, { is: 'new' }), true), 'toFix')
  assert.equal(fateOf(bare, knowing(bare, existing), true), 'update')
  assert.ok(!isToAsk(rowOf(2, 'A-1', 'x', 'two'), new Map()), 'a row that is wrong is not asked about')
  assert.ok(!isToAsk(rowOf(2, '', 'x'), new Map()), 'nor one without an awb')
})

test('what was said of a row holds until it is edited', () => {
  const before = rowOf(2, 'A-1', 'x', '2')
  const after = rowOf(2, 'A-1', 'x', '3')
  assert.ok(!isToAsk(before, knowing(before, existing)))
  assert.ok(isToAsk(after, knowing(before, existing)))
  assert.equal(fateOf(after, knowing(before, existing), true), 'create')
})

test('custom fields of other columns stay when a list updates some', () => {
  const input = { awb: 'A', address: {}, customFields: [{ key: 'Etaj', value: '2' }] }
  const before = [
    { key: 'Culoare', value: 'roșu' },
    { key: 'Etaj', value: '1' },
  ]
  const result = (changes: object[]) =>
    ({ item: 1, awb: 'A', success: true, id: 7, statusId: 1 as const, changes }) as never
  const said = readResult(result([{ field: 'customFields', from: before, to: input.customFields }]), input)
  assert.ok(said.is === 'existing')
  assert.deepEqual(said.customFields, [before[0], { key: 'Etaj', value: '2' }])
  assert.deepEqual(updateOf(input, said.customFields).customFields, said.customFields)
  const same = readResult(result([{ field: 'customFields', from: [...before, input.customFields[0]], to: [] }]), {
    ...input,
    customFields: [{ key: 'Culoare', value: 'roșu' }],
  })
  assert.deepEqual(same.is === 'existing' && same.changes, [])
})

test('rows go in sets that are small in number and in size, each with a key of its own', () => {
  let keys = 0
  const makeKey = () => `k${keys++}`
  const rows = Array.from({ length: 600 }, (_, at) => rowOf(at + 2, `A-${at}`, 'x'))
  const sets = planSets(rows, rows.slice(0, 10), new Map(), makeKey)
  assert.deepEqual(
    sets.map(({ number, key, kind, rows, tasks }) => [number, key, kind, rows.length, tasks.length]),
    [
      [0, 'k0', 'create', 250, 250],
      [1, 'k1', 'create', 250, 250],
      [2, 'k2', 'create', 100, 100],
      [3, 'k3', 'update', 10, 10],
    ],
  )
  assert.deepEqual(
    sets.slice(0, 3).flatMap(({ rows }) => rows),
    rows.map(({ row }) => row.number),
  )
  const long = Array.from({ length: 100 }, (_, at) => rowOf(at + 2, `B-${at}`, 'x'.repeat(20_000)))
  for (const { tasks } of planSets(long, [], new Map(), makeKey)) assert.ok(JSON.stringify(tasks).length < 1_000_000)
})

test('what was sent too long ago for the server to remember is not sent again', () => {
  const now = Date.parse('2026-11-16T12:00:00Z')
  const set = (number: number, given: Partial<SendSet>): SendSet => ({
    number,
    key: `k${number}`,
    kind: 'create',
    rows: [number],
    tasks: [{ awb: 'A', address: {} }],
    ...given,
  })
  const hour = 3_600_000
  const sets = [
    set(0, { begunAt: now - 30 * hour, outcomes: [{}] }),
    set(1, { begunAt: now - 30 * hour }),
    set(2, { begunAt: now - 2 * hour }),
    set(3, {}),
  ]
  assert.deepEqual(
    resumeSets(sets, now).map(({ outcomes }) => outcomes),
    [[{}], [{ refusal: 'lost' }], undefined, undefined],
  )
})
