import type { Static } from 'typebox'
import { OwnCash } from './cash.ts'
import { Settings } from './company.ts'
import { DeviceReport } from './device.ts'
import { Driver } from './driver.ts'
import { Form } from './form.ts'
import { longest, mostHeld, mostOps } from './limits.ts'
import { deviceTime, OpInput, opTypes } from './op.ts'
import { Reason } from './reason.ts'
import { ScanVerdict } from './scan.ts'
import { AnyJson, Each, Id, ItemError, Nullable, PageQuery, ShownAmount, Text, Time } from './schema.ts'
import { Note, Status, Task } from './task.ts'
import { Type } from './type.ts'

const Optional = Type.Optional

export const SyncInput = Type.Object(
  {
    deviceTime,
    cursor: Optional(Nullable(Text(longest.cursor, { description: 'The `cursor` of the last answer' }))),
    device: Optional(DeviceReport),
    holds: Optional(
      Type.Array(Id(), {
        maxItems: mostHeld,
        description:
          'Tasks the driver has no longer and of which the phone still holds something: `erased` says which of them must go',
      }),
    ),
    ops: Optional(Each(OpInput, 'What the driver did, in this order', mostOps)),
  },
  { title: 'SyncInput' },
)
export type SyncInput = Static<typeof SyncInput>

export const OpResult = Type.Object(
  {
    opId: Type.String(),
    success: Type.Boolean(),
    error: Optional(ItemError),
    unchanged: Optional(
      Type.Literal(true, {
        description: 'Of a `start` or `arrive`: it had happened already, so there is nothing to take back',
      }),
    ),
    scanned: Optional(
      Type.Object(
        {
          result: ScanVerdict,
          taskId: Nullable(Id()),
          driver: Nullable(Type.String({ description: 'The name of the driver whose parcel it is' })),
        },
        { description: 'Of a `load`: what it came to' },
      ),
    ),
    conflict: Optional(
      Type.Object(
        { id: Id() },
        { description: 'It was not applied but kept, and the office decides what becomes of it' },
      ),
    ),
  },
  { title: 'OpResult' },
)
export type OpResult = Static<typeof OpResult>

const { timelines: _, timelinesLeftOut: __, ...taskProperties } = Task.properties
export const PhoneTask = Type.Object(taskProperties, { title: 'PhoneTask', description: 'A task without its timeline' })
export type PhoneTask = Static<typeof PhoneTask>

/** What the office decided about work that could not be applied when the phone sent it. */
export const SettledOp = Type.Object(
  {
    conflictId: Id(),
    opId: Nullable(Type.String({ description: 'Null if it was not sent by a sync' })),
    taskId: Id(),
    awb: Type.String(),
    type: Type.String({ enum: [...opTypes] }),
    applied: Type.Boolean({ description: 'Whether it was applied after all' }),
    note: Nullable(Type.String({ description: 'What the office says about it' })),
    settledAt: Time(),
  },
  { title: 'SettledOp' },
)
export type SettledOp = Static<typeof SettledOp>

export const OwnPayment = Type.Object(
  {
    taskId: Id(),
    amount: ShownAmount(),
    method: Type.Unsafe<'cash' | 'card'>({ type: 'string', enum: ['cash', 'card'] }),
    occurredAt: Time(),
  },
  { title: 'OwnPayment', description: 'What the driver was paid' },
)
export type OwnPayment = Static<typeof OwnPayment>

export const PhoneChanges = Type.Object(
  {
    full: Type.Boolean({ description: 'The driver has these tasks and those in `order`, no others' }),
    tasks: Type.Array(PhoneTask, {
      description: 'Those that changed, and open ones whose arrival moved by two minutes or more',
    }),
    more: Optional(
      Type.Literal(true, {
        description: 'There is more than fits into one answer: sync again at once, with the new cursor',
      }),
    ),
    removed: Type.Array(Id(), { description: 'Tasks the driver has no longer' }),
    erased: Type.Optional(
      Type.Array(Id(), {
        description:
          'Those of `removed`, and of what the phone `holds`, whose personal data was erased: nothing of them may stay on the phone',
      }),
    ),
    order: Type.Array(Id(), { description: 'All open tasks of the driver, in the order of the route' }),
    user: Driver,
    settings: Settings,
    forms: Type.Array(Form),
    reasons: Type.Array(Reason, { description: 'All that can be chosen when a task fails' }),
    settled: Type.Array(SettledOp, {
      description: 'What the office decided about conflicts of this driver; the same decision may be told again',
    }),
    payments: Type.Array(OwnPayment, {
      description: 'All payments this driver took for the open tasks and those ended today, oldest first',
    }),
    cash: Optional(OwnCash),
  },
  { title: 'PhoneChanges' },
)
export type PhoneChanges = Static<typeof PhoneChanges>

/** What others than the driver did to the task in the meantime. */
export const Meanwhile = Type.Object(
  {
    event: Type.String({ description: 'The name of the trigger that says most about it' }),
    actor: Type.Object({ type: Type.String(), id: Nullable(Type.Integer()), name: Type.String() }),
    user: Nullable(
      Type.Object(
        { id: Id(), name: Type.String() },
        { description: 'The driver who got the task, or lost it if nobody did' },
      ),
    ),
    changed: Type.Array(Type.String(), { description: 'The fields of the task that changed' }),
    occurredAt: Time(),
  },
  { title: 'Meanwhile' },
)
export type Meanwhile = Static<typeof Meanwhile>

export const Conflict = Type.Object(
  {
    id: Id(),
    type: Type.String({ enum: [...opTypes] }),
    taskId: Id(),
    awb: Type.String(),
    user: Type.Object({ id: Id(), name: Type.String() }),
    opId: Nullable(Type.String()),
    op: AnyJson('What the driver did, whole'),
    error: ItemError,
    occurredAt: Time('When it happened'),
    recordedAt: Time('When the server received it'),
    settledAt: Nullable(Time('When the office decided')),
    settledBy: Nullable(Type.String({ description: 'Who decided' })),
    applied: Nullable(Type.Boolean({ description: 'What was decided' })),
    note: Nullable(Type.String()),
    statusId: Nullable(Status),
    assignedTo: Nullable(
      Type.Object({ id: Id(), name: Type.String() }, { description: 'The driver who has the task now' }),
    ),
    address: Type.String({ description: 'The address of the task' }),
    metresAway: Nullable(
      Type.Integer({ description: 'How far from that address the driver was; null if either place is unknown' }),
    ),
    image: Nullable(Type.String({ description: 'The picture that belongs to the op, once it has arrived' })),
    evidence: Type.Array(Note, {
      description:
        'Notes, photos, signatures and scans of this driver on the task: the newest 50, at most 32,768 characters',
    }),
    meanwhile: Type.Array(Meanwhile, {
      description:
        'What others did to the task since it was given to the driver, oldest first; at most the last 20 changes',
    }),
  },
  { title: 'Conflict', description: '`statusId` is the state of the task now; null if it was deleted' },
)
export type Conflict = Static<typeof Conflict>

export const ConflictQuery = Type.Object({
  settled: Optional(Type.Boolean({ description: 'true: only settled ones, the latest first; false: only open ones' })),
  ...PageQuery.properties,
})
export type ConflictQuery = Static<typeof ConflictQuery>

export const OpenConflict = Type.Object(
  {
    id: Id(),
    taskId: Id(),
    user: Type.Object({ id: Id(), name: Type.String() }, { description: 'The driver whose work it is about' }),
  },
  { title: 'OpenConflict' },
)
export type OpenConflict = Static<typeof OpenConflict>

export const SettleInput = Type.Object(
  {
    apply: Type.Boolean({
      description:
        'true: an open task goes back to the driver and becomes what they did, as of then; false: nothing changes',
    }),
    note: Optional(Nullable(Text(longest.text))),
  },
  { title: 'SettleInput' },
)
export type SettleInput = Static<typeof SettleInput>
