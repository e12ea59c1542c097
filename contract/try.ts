import type { Static } from 'typebox'
import { longest } from './limits.ts'
import { Id, ItemError, Nullable, Text, Words } from './schema.ts'
import { AddressInput, Task, wallTime } from './task.ts'
import { Type } from './type.ts'

const Optional = Type.Optional

/** What the new task has that the failed one had not. */
const next = {
  completeAfter: Optional(Nullable(Text(longest.time, { description: wallTime }))),
  completeBefore: Optional(Nullable(Text(longest.time, { description: wallTime }))),
}

export const ReattemptInput = Type.Object(
  { ...next, userId: Optional(Nullable(Id('Assign to this driver immediately'))) },
  {
    title: 'ReattemptInput',
    description:
      'Without a time, the new task keeps the window of the failed one if that is not over yet; else it has none',
  },
)
export type ReattemptInput = Static<typeof ReattemptInput>

export const ReturnInput = Type.Object(
  {
    ...next,
    userId: Optional(
      Nullable(
        Id('Who brings it back; not given, the driver who has the parcel, if they can get tasks; null for nobody yet'),
      ),
    ),
    address: Optional(AddressInput),
  },
  {
    title: 'ReturnInput',
    description:
      'Without an `address`, it goes to the hub of the task’s team, else of a team of its driver, else to the first hub',
  },
)
export type ReturnInput = Static<typeof ReturnInput>

export const CorrectInput = Type.Object(
  {
    statusId: Type.Unsafe<9 | 10>({
      type: 'integer',
      enum: [9, 10],
      description: 'How it really ended: 9 succeeded, 10 failed',
    }),
    reason: {
      ...Words(longest.text),
      description: 'Why it is corrected; of a task that failed after all, also why it failed',
    } as ReturnType<typeof Words>,
  },
  { title: 'CorrectInput' },
)
export type CorrectInput = Static<typeof CorrectInput>

/** One item of many: the new task, or the one that is left as it is; else why not. */
export const TryResult = Type.Object(
  {
    awb: Type.String({ description: 'Of the failed task' }),
    success: Type.Boolean(),
    data: Optional(Task),
    error: Optional(ItemError),
  },
  { title: 'TryResult' },
)
