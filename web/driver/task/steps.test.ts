import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhoneTask } from '../../../contract/sync.ts'
import { settingsOf } from '../../../core/settings.ts'
import { collectsNothing, emptyDraft, isMissing, missingForFailure, reasonsFor, stepsOf } from './steps.ts'

const task = (given: object = {}) =>
  ({
    id: 1,
    awb: 'A-1',
    notes: [],
    customFields: [],
    formId: null,
    mobileTaskForm: null,
    statusId: 7,
    dependencies: [],
    acceptedAt: null,
    atHubAt: null,
    loadedAt: null,
    startedAt: null,
    arrivalTime: null,
    collectPayment: false,
    totalPrice: null,
    leftToBePaid: null,
    ...given,
  }) as unknown as PhoneTask

const paid = { collectPayment: true, totalPrice: 158, leftToBePaid: 158 }
const form = {
  id: 1,
  name: 'F',
  isDefault: true,
  createdAt: '',
  updatedAt: '',
  fields: [
    { field_key: 'pack', label: 'Pack?', labels: {}, type: 'check', required: true, choices: [], at: 'complete' },
  ],
} as never

const floor = { field_key: 'floor', label: 'Floor', labels: {}, type: 'number', choices: [], at: 'complete' }

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
      allowDriverToScanOnSite: false,
      allowDriverToTakePicturesOnSite: false,
      allowDriverToTakeSignaturesOnSite: false,
      allowDriverToTakePaymentsOnSite: false,
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

test('what is typed about money and cannot be taken is missing, and what is forgotten is asked about', () => {
  const parts = { allowPartialPayments: true }
  for (const amount of ['500', '12,50', 'x', '159'])
    assert.deepEqual(missingIn(paid, parts, { method: 'cash', amount }), ['payment'], amount)
  assert.deepEqual(missingIn(paid, parts, { amount: '100' }), ['payment'], 'no way of paying was chosen')
  assert.deepEqual(missingIn({ ...paid, leftToBePaid: 0 }, parts, { method: 'cash' }), ['payment'])
  assert.deepEqual(missingIn(paid, parts, { method: 'cash', amount: '100' }), [])
  const asks = (drafted: object) => collectsNothing(task(paid), rules(parts), { ...draft, ...drafted })
  assert.deepEqual([asks({}), asks({ amount: '0', method: 'cash' }), asks({ method: 'cash' })], [true, true, false])
})

test('a name without a signature, and a word where a number is asked, are not dropped', () => {
  assert.deepEqual(missingIn({}, {}, { signedBy: 'Ion' }), ['signature'])
  assert.deepEqual(missingIn({}, {}, { signedBy: ' ' }), [])
  const floors = { ...(form as object), fields: [{ ...floor, required: false }] } as never
  assert.deepEqual(missingIn({}, {}, { answers: { floor: 'third' } }, [floors]), ['form'])
  assert.deepEqual(missingIn({}, {}, { answers: { floor: '3' } }, [floors]), [])
  assert.deepEqual(missingIn({}, {}, { answers: { floor: '' } }, [floors]), [])
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
