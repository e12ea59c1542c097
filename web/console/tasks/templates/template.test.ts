import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Draft, emptyDraft } from '../form/draft.ts'
import { draftOfTemplate, fillFrom, templateOf } from './template.ts'

const typedMoney = (amount: number) => String(amount).replace('.', ',')

test('what is kept as a template fills the form again, without the time, the AWB and what it depends on', () => {
  const filled: Draft = {
    ...emptyDraft,
    address: 'Piața Obor',
    city: 'București',
    coordinates: '44.45, 26.12',
    customerName: 'Ana Pop',
    customerPhone: '0712345678',
    details: 'Four crates',
    totalPrice: '12,5',
    collectPayment: 'no',
    serviceTime: '10',
    userId: '7',
    pickupTask: true,
    customFields: [{ key: 'Floor', value: '3' }],
  }
  const ofOneDay = {
    awb: 'A-1',
    completeAfter: '2026-11-19T09:00',
    completeBefore: '2026-11-19T10:00',
    dependencies: 'B',
  }
  const task = templateOf({ ...filled, ...ofOneDay })
  assert.deepEqual({ ...emptyDraft, ...draftOfTemplate(task, typedMoney) }, filled)
  assert.deepEqual(templateOf({ ...emptyDraft, details: 'Ring twice', ...ofOneDay }), { details: 'Ring twice' })
})

test('another template takes back what the one before filled in, and nothing that was typed', () => {
  const [before, next] = [
    { details: 'Crates', customerName: 'Ana' },
    { serviceTime: '5', details: 'Letters' },
  ]
  const draft = { ...emptyDraft, details: 'Crates', customerName: 'Ana Pop', address: 'Piața Obor' }
  assert.deepEqual(fillFrom(draft, before, next), { details: 'Letters', serviceTime: '5' })
  assert.deepEqual(fillFrom({ ...draft, customerName: 'Ana' }, before, {}), { details: '', customerName: '' })
})
