import type { Static } from 'typebox'
import { type ScanPlace, scanPlaces } from '../core/loading.ts'
import { FileId } from './file.ts'
import { AnswerInput } from './form.ts'
import { longest, mostFields } from './limits.ts'
import { ReasonCode } from './reason.ts'
import { Amount, Id, Latitude, Longitude, Nullable, OneOf, Text, textsOf, Words } from './schema.ts'
import { NoteInput, wallTime } from './task.ts'
import { Type } from './type.ts'

const Optional = Type.Optional

const where = {
  lat: Optional(Nullable(Latitude)),
  lng: Optional(Nullable(Longitude)),
  accuracyMetres: Optional(Nullable(Type.Number({ minimum: 0, description: 'How exact that is' }))),
}

export const deviceTime = Text(longest.time, {
  description: `What the clock of the phone shows while it sends this; by it occurredAt is corrected. ${wallTime}`,
})

/** When and where a driver did something; every verb of a driver takes it. */
const happened = {
  occurredAt: Optional(Nullable(Text(longest.time, { description: `When it happened; defaults to now. ${wallTime}` }))),
  deviceTime: Optional(Nullable(deviceTime)),
  ...where,
}
export const HappenedInput = Type.Object(happened, { title: 'HappenedInput' })
export type HappenedInput = Static<typeof HappenedInput>

const why = {
  reasonCode: Optional(Nullable(ReasonCode('The code of a reason'))),
  reason: Optional(Nullable(Text(longest.text))),
}

/** Why a driver gives up. `failureReason`, its name in force completing, means the same. */
export const FailureInput = Type.Object(
  { ...why, failureReason: Optional(Nullable(Text(longest.text))), ...happened },
  { title: 'FailureInput' },
)

export const DriverNoteInput = Type.Object(
  { ...NoteInput.properties, ...happened },
  { title: 'DriverNoteInput', description: 'Text, a picture, or both' },
)
export type DriverNoteInput = Static<typeof DriverNoteInput>

export const DutyInput = Type.Object({ inShift: Type.Boolean(), ...happened }, { title: 'DutyInput' })

/*
 * One thing a driver did, as a phone sends it: to a task, or to their duty. A field means the same in every op that has
 * it, because they are read as one object (read/union.ts).
 */

const opId = Text(longest.opId, { minLength: 1, description: 'Chosen by the phone, never used twice' })
const occurredAt = Text(longest.time, { description: `When it happened, by the clock of the phone. ${wallTime}` })
const taskId = Id('The task it was done to')
const fileId = FileId('The picture; its bytes may be sent later')

const of = <const Name extends string>(...names: Name[]) => ({
  opId,
  type: Type.Unsafe<Name>({ type: 'string', enum: names }),
  occurredAt,
  ...where,
})

export const OpInput = OneOf(
  'type',
  [
    Type.Object({ ...of('accept', 'start', 'arrive', 'complete'), taskId }, { title: 'MoveOp' }),
    Type.Object({ ...of('fail'), taskId, ...why }, { title: 'FailOp' }),
    Type.Object({ ...of('note'), taskId, note: Words(longest.text) }, { title: 'NoteOp' }),
    Type.Object({ ...of('photo'), taskId, note: Optional(Words(longest.text)), fileId }, { title: 'PhotoOp' }),
    Type.Object(
      {
        ...of('signature'),
        taskId,
        fileId,
        name: Optional(Nullable(Text(longest.name, { description: 'Who signed' }))),
      },
      { title: 'SignatureOp' },
    ),
    Type.Object({ ...of('scan'), taskId, code: Words(longest.code) }, { title: 'ScanOp' }),
    Type.Object(
      {
        ...of('load'),
        code: Words(longest.code),
        at: Optional(
          Type.Unsafe<ScanPlace>({ type: 'string', enum: [...scanPlaces], description: '`vehicle` by default' }),
        ),
      },
      { title: 'LoadOp', description: 'A parcel was scanned into the vehicle, or at the hub, whatever its task is' },
    ),
    Type.Object(
      {
        ...of('payment'),
        taskId,
        amount: Amount({ minimum: 0.01 }),
        method: Type.Unsafe<'cash' | 'card'>({ type: 'string', enum: ['cash', 'card'] }),
      },
      { title: 'PaymentOp' },
    ),
    Type.Object(
      { ...of('form'), taskId, answers: Type.Array(AnswerInput, { minItems: 1, maxItems: mostFields }) },
      { title: 'FormOp' },
    ),
    Type.Object({ ...of('duty'), inShift: Type.Boolean() }, { title: 'DutyOp' }),
    Type.Object(
      { ...of('seen'), taskId: Optional(taskId) },
      { title: 'SeenOp', description: 'A change was shown to the driver' },
    ),
    Type.Object(
      {
        ...of('takeBack'),
        taskId: Optional(taskId),
        of: Text(longest.opId, { minLength: 1, description: 'The opId of a start or arrive of the same driver' }),
      },
      { title: 'TakeBackOp' },
    ),
  ],
  { title: 'OpInput', description: 'What a driver did; `type` says what, and so which fields there are' },
)
export type OpInput = Static<typeof OpInput>
export type OpType = OpInput['type']
/** What a phone can do to a task, or to the duty of its driver. */
export const opTypes = textsOf(OpInput) as OpType[]
