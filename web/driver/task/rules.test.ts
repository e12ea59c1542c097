import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpInput } from '../../../contract/op.ts'
import type { PhoneTask } from '../../../contract/sync.ts'
import { type Case, type CaseOp, cases, type StopCase, stopCases } from '../../../core/driver/cases.ts'
import { isNamedOnBoth, nextMoveAtStop } from '../../../core/driver/rules.ts'
import { settingsOf } from '../../../core/settings.ts'
import { Assigned, isOpen, Unassigned } from '../../../core/task-status.ts'
import { lookAhead, refusalOf } from '../../../phone/ahead.ts'
import { stopOf } from '../../../phone/stop.ts'
import { emptyDraft, isMissing, obstacleToEnd, stepsOf } from './steps.ts'

const driver = { id: 7, name: 'Vlad' }
const reasonCode = 'nobody'

const taskOf = ({ price = 0, waits }: Case) =>
  ({
    id: 1,
    awb: 'A-1',
    statusId: Assigned,
    notes: [],
    customFields: [],
    formId: null,
    mobileTaskForm: null,
    acceptedAt: null,
    atHubAt: null,
    loadedAt: null,
    startedAt: null,
    arrivalTime: null,
    completedAt: null,
    cancelReason: null,
    collectPayment: price > 0,
    totalPrice: price,
    leftToBePaid: price > 0 ? price : null,
    dependencies: waits ? [{ taskId: 2, awb: 'OPEN', statusId: Unassigned }] : [],
  }) as unknown as PhoneTask

const fieldOf = ({ field }: Case) =>
  field ? [{ field_key: 'door', label: 'Door', labels: {}, type: 'text' as const, choices: [], ...field }] : []

/** What the table says, as the phone does it. */
function opsOf(done: readonly CaseOp[]): OpInput[] {
  const ops: OpInput[] = []
  for (const { type, amount, answer, withReason, reason, of } of done)
    ops.push({
      opId: `op-${ops.length}`,
      type,
      taskId: 1,
      occurredAt: '2026-11-16T09:00:00.000Z',
      ...(type === 'note' && { note: 'Third floor' }),
      ...(amount !== undefined && { amount, method: 'cash' as const }),
      ...(answer !== undefined && { answers: [{ field_key: 'door', answer }] }),
      ...(withReason && { reasonCode }),
      ...(reason !== undefined && { reason }),
      ...(of && { of: ops.findLast((op) => op.type === of)?.opId }),
    } as OpInput)
  return ops
}

const rulesOf = (given: Case) => ({
  settings: settingsOf({ settings: given.settings ?? {} }),
  fieldsOf: () => fieldOf(given),
  reasons: given.reason ? [{ code: reasonCode, photoRequired: false, noteRequired: false, ...given.reason }] : [],
  driver,
  timezone: 'UTC',
})

test('the phone shows what the server will make of it', () => {
  for (const given of cases) {
    const rules = rulesOf(given)
    const ops = opsOf([...(given.before ?? []), given.op])
    const [before] = lookAhead([{ task: taskOf(given), begun: [] }], ops.slice(0, -1), rules).tasks
    const [after] = lookAhead([{ task: taskOf(given), begun: [] }], ops, rules).tasks
    assert.ok(before && after)
    assert.equal(refusalOf(before, ops.at(-1) as OpInput, rules), given.refused, given.name)
    assert.equal(after.task.statusId, given.statusId, given.name)
  }
})

/** The parcels of a stop, as the phone has them. */
const parcelsOf = ({ parcels }: StopCase) =>
  parcels.map(({ price = 0, customer = 0, waits }, at) => ({
    ...taskOf({ price } as Case),
    id: at + 1,
    awb: `A-${at + 1}`,
    customerId: customer,
    customer: { name: `Customer ${customer}`, phone: '+40722000111' },
    dependencies:
      waits === undefined
        ? []
        : [{ taskId: waits === true ? 99 : waits + 1, awb: 'FIRST', statusId: waits === true ? Unassigned : Assigned }],
  })) as PhoneTask[]

test('the phone shows the same of a stop of several parcels', () => {
  for (const given of stopCases) {
    const rules = rulesOf({ name: given.name, settings: given.settings ?? {} } as Case)
    const tasks = parcelsOf(given)
    const ops = given.ops.map(({ parcel, ...op }, at) => {
      const [made] = opsOf([op])
      return { ...made, opId: `op-${at}`, taskId: parcel + 1 } as OpInput
    })
    const look = (done: readonly OpInput[]) => {
      const ahead = lookAhead(
        tasks.map((task) => ({ task, begun: [] })),
        done,
        rules,
      ).tasks
      return tasks.map(({ id }) => ahead.find(({ task }) => task.id === id) ?? assert.fail())
    }
    for (const [at, op] of ops.entries()) {
      const before = look(ops.slice(0, at))[given.ops[at]?.parcel ?? 0] ?? assert.fail()
      assert.equal(refusalOf(before, op, rules), given.refused?.[at], `${given.name}, op ${at}`)
    }
    const after = look(ops).map(({ task }) => task)
    assert.deepEqual(
      after.map(({ statusId }) => statusId),
      given.statusIds,
      given.name,
    )
    const open = after.filter(isOpen).map((task) => ({ ...stopOf(task), parcel: task.id - 1 }))
    const next = nextMoveAtStop(open, rules.settings)
    assert.deepEqual(
      next && { move: next.move, parcels: next.tasks.map(({ parcel }) => parcel) },
      given.next,
      given.name,
    )
    const [first] = tasks
    if (first && given.named)
      assert.deepEqual(
        tasks.map((task) => task === first || isNamedOnBoth(first, task)),
        given.named,
      )
  }
})

test('who signed is named for the same number and name, where each task has a record of its own', () => {
  const of = (customerId: number, name: string, phone: string) => ({ customerId, customer: { name, phone } })
  const ana = of(1, 'Ana', '+40722000111')
  assert.equal(isNamedOnBoth(ana, of(2, 'Ana', '+40722000111')), true)
  assert.equal(isNamedOnBoth(ana, of(2, 'Dan', '+40722000111')), false)
  assert.equal(isNamedOnBoth(ana, of(2, 'Ana', '+40722000112')), false)
  assert.equal(isNamedOnBoth(of(1, 'Ana', 'at the porter'), of(2, 'Ana', 'at the porter')), false)
  assert.equal(isNamedOnBoth({ customerId: null, customer: null }, { customerId: null, customer: null }), false)
})

const stepFor: Record<string, string> = {
  SIGNATURE_REQUIRED: 'signature',
  PAYMENT_REQUIRED: 'payment',
  FORM_REQUIRED: 'form',
}

test('the page on which a task is completed says what the server would refuse it for', () => {
  for (const given of cases.filter(({ op, before = [] }) => op.type === 'complete' && !before.some(ends))) {
    const { settings, ...rules } = rulesOf(given)
    const form = { id: 1, name: 'F', isDefault: true, createdAt: '', updatedAt: '', fields: fieldOf(given) }
    const day = { settings, forms: given.field ? [form] : [] }
    // What belongs to completing is filled in, and the rest was done before.
    const [drafted, done] = split(given.before ?? [])
    const [{ task } = { task: taskOf(given) }] = lookAhead([{ task: taskOf(given), begun: [] }], opsOf(done), {
      settings,
      ...rules,
    }).tasks
    const draft = {
      ...emptyDraft(1),
      ...(drafted.some(({ type }) => type === 'signature') && { strokes: [[[0, 0]]] as [number, number][][] }),
      ...(drafted.some(({ type }) => type === 'payment') && { method: 'cash' as const }),
      answers: Object.fromEntries(drafted.flatMap(({ answer }) => (answer === undefined ? [] : [['door', answer]]))),
    }
    const missing = stepsOf(task, day, draft).find(isMissing)?.name
    const refused = obstacleToEnd(task, day, 'complete')?.code ?? missing
    assert.equal(refused, given.refused && (stepFor[given.refused] ?? given.refused), given.name)
  }
})

const ends = ({ type }: CaseOp) => type === 'fail' || type === 'complete'
const split = (done: readonly CaseOp[]) => {
  const isDrafted = ({ type }: CaseOp) => type === 'signature' || type === 'payment' || type === 'form'
  return [done.filter(isDrafted), done.filter((op) => !isDrafted(op))] as const
}
