import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differenceOf } from './difference.ts'

const address = { id: 1, lat: 44.4, lng: 26.1, address: 'Bulevardul Unirii 1', city: 'București' }
const customer = { id: 7, name: 'Ana', address: 'Str. Lungă 2', updatedAt: '2026-05-04T08:00:00.000Z' }
const task = {
  details: '',
  address,
  customer,
  user: { id: 3, status: 1 },
  route: { position: 1, distanceMetres: 500 },
  inventory: 'two boxes',
  customFields: [{ key: 'floor', value: '3' }],
  completeAfter: '2026-05-04T08:00:00.000Z',
  updatedAt: '2026-05-04T08:00:00.000Z',
  etaAt: null,
}

test('the previous value of a field is whole, of the address and the customer the parts that changed', () => {
  const cases: [what: string, now: object, previous: object | null][] = [
    ['nothing', {}, null],
    [
      'the text of the address',
      { address: { ...address, address: 'Calea Victoriei 1' } },
      { address: { address: address.address } },
    ],
    ['an address that had no text', { address: { ...address, city: '' } }, { address: { city: 'București' } }],
    ['the coordinates', { address: { ...address, lat: null, lng: null } }, { address: { lat: 44.4, lng: 26.1 } }],
    ["the customer's address", { customer: { ...customer, address: '' } }, { customer: { address: 'Str. Lungă 2' } }],
    ['another customer', { customer: { ...customer, id: 8, name: 'Dan' } }, { customer: { id: 7, name: 'Ana' } }],
    ['no customer', { customer: null }, { customer }],
    ['only the time at which the customer was saved', { customer: { ...customer, updatedAt: 'later' } }, null],
    ['a text', { inventory: 'one box' }, { inventory: 'two boxes' }],
    ['a text that becomes an object', { inventory: { boxes: 2 } }, { inventory: 'two boxes' }],
    ['an object', { route: { position: 2, distanceMetres: 500 } }, { route: task.route }],
    ['a list', { customFields: [] }, { customFields: task.customFields }],
    ['a time', { completeAfter: null }, { completeAfter: task.completeAfter }],
    ['another driver', { user: { id: 4, status: 1 } }, { user: task.user }],
    ['the state of the driver', { user: { id: 3, status: 2 } }, null],
    ['what follows from time', { etaAt: 'soon', updatedAt: 'later' }, null],
  ]
  for (const [what, now, previous] of cases) assert.deepEqual(differenceOf(task, { ...task, ...now }), previous, what)
  assert.deepEqual(differenceOf({ ...task, customer: null }, task), { customer: null }, 'a first customer')
})
