import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhoneTask } from '../../../contract/sync.ts'
import { settingsOf } from '../../../core/settings.ts'
import { emptyDraft, isMissing, missingForFailure, paymentIn, reasonsFor, stepsOf } from './steps.ts'

const task = (given: object = {}) =>
  ({
    ...{ id: 1, awb: 'A-1', notes: [], customFields: [], formId: null, mobileTaskForm: null },
    ...{ collectPayment: false, totalPrice: null, leftToBePaid: null, ...given },
  }) as unknown as PhoneTask

const paid = { collectPayment: true, totalPrice: 158, leftToBePaid: 158 }
const form = {
  ...{ id: 1, name: 'F', isDefault: true, createdAt: '', updatedAt: '' },
  fields: [
    { field_key: 'pack', label: 'Pack?', labels: {}, type: 'check', required: true, choices: [], at: 'complete' },
  ],
} as never

const rules = (settings = {}, forms: never[] = []) => ({ settings: settingsOf({ settings }), forms })
const draft = emptyDraft(1)

const missingIn = (given: object, settings = {}, drafted = {}, forms: never[] = []) =>
  stepsOf(task(given), rules(settings, forms), { ...draft, ...drafted })
    .filter(isMissing)
    .map(({ name }) => name)

test('the steps of a task follow what it needs and what drivers may do', () => {
  const names = (given: object, settings = {}, forms: never[] = []) =>
    stepsOf(task(given), rules(settings, forms), draft).map(({ name }) => name)
  assert.deepEqual(names({}), ['scan', 'photo', 'signature'])
  assert.deepEqual(names(paid, {}, [form]), ['scan', 'photo', 'signature', 'payment', 'form'])
  assert.deepEqual(
    names(paid, {
      ...{ allowDriverToScanOnSite: false, allowDriverToTakePicturesOnSite: false },
      ...{ allowDriverToTakeSignaturesOnSite: false, allowDriverToTakePaymentsOnSite: false },
    }),
    [],
  )
})

test('what the server would refuse without is missing, and what is filled in is not', () => {
  assert.deepEqual(missingIn({}), [])
  assert.deepEqual(missingIn({}, { makeSignaturesMandatory: true }), ['signature'])
  assert.deepEqual(missingIn({}, { makeSignaturesMandatory: true }, { strokes: [[[0, 0]]] }), [])
  assert.deepEqual(missingIn(paid), ['payment'])
  assert.deepEqual(missingIn(paid, {}, { method: 'cash' }), [])
  assert.deepEqual(missingIn(paid, { allowPartialPayments: true }), [])
  assert.deepEqual(missingIn({}, {}, {}, [form]), ['form'])
  assert.deepEqual(missingIn({}, {}, { answers: { pack: false } }, [form]), [])
})

test('a payment counts only as far as the server would take it', () => {
  const amountOf = (amount: string, settings = {}) =>
    paymentIn(task(paid), rules(settings), { ...draft, method: 'cash', amount })?.amount
  assert.equal(amountOf(''), 158)
  assert.equal(amountOf('100'), 158, 'without partial payments it is always all')
  assert.equal(amountOf('100', { allowPartialPayments: true }), 100)
  for (const wrong of ['0', '159', '1.5', 'x']) assert.equal(amountOf(wrong, { allowPartialPayments: true }), undefined)
})

test('a failure needs a reason, and what the reason wants', () => {
  const reason = { code: 'nobody', photoRequired: true, noteRequired: true } as never
  const missing = (given: object, drafted: object, chosen: never | undefined) =>
    missingForFailure(task(given), rules(), { ...draft, ...drafted }, { reason: chosen, driverId: 7 })
  assert.deepEqual(missing({}, {}, undefined as never), ['reason'])
  assert.deepEqual(missing({}, { reasonCode: 'nobody' }, reason), ['photo', 'note'])
  const notes = [{ type: 2, userId: 7 }]
  assert.deepEqual(missing({ notes }, { reasonCode: 'nobody', reason: 'No bell' }, reason), [])
  assert.deepEqual(missing({ notes: [{ type: 2, userId: 8 }] }, { reasonCode: 'nobody', reason: 'x' }, reason), [
    'photo',
  ])
  assert.deepEqual(missing({}, { reasonCode: '' }, undefined as never), ['note'])
})

test('a reason that wants a photo is not offered where drivers may take none, unless they have one', () => {
  const reasons = [
    { code: 'nobody', photoRequired: true },
    { code: 'refused', photoRequired: false },
  ] as never
  const offered = (given: object, isAllowed: boolean) =>
    reasonsFor(task(given), { reasons, ...rules({ allowDriverToTakePicturesOnSite: isAllowed }) }, 7).map(
      ({ code }) => code,
    )
  assert.deepEqual(offered({}, true), ['nobody', 'refused'])
  assert.deepEqual(offered({}, false), ['refused'])
  assert.deepEqual(offered({ notes: [{ type: 2, userId: 7 }] }, false), ['nobody', 'refused'])
})
