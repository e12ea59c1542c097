import type { Static } from 'typebox'
import { type Frequency, frequencies, type WeekOfMonth, weeksOfMonth } from '../core/recurrence.ts'
import { longest, mostDaysAhead, mostInterval, mostOccurrences, mostSkips } from './limits.ts'
import { Id, Name, Nullable, Text, Time } from './schema.ts'
import { Status, TaskInput } from './task.ts'
import { Type } from './type.ts'

const Optional = Type.Optional
const Day = (description: string) => Text(10, { description })

const {
  awb: _awb,
  completeAfter: _after,
  completeBefore: _before,
  dependencies: _needs,
  ...body
} = TaskInput.properties

export const ScheduledTask = Type.Object(body, {
  title: 'ScheduledTask',
  description: 'A task as it is created, without `awb`, `completeAfter`, `completeBefore` and `dependencies`',
})
export type ScheduledTask = Static<typeof ScheduledTask>

const Weekday = Type.Integer({ minimum: 1, maximum: 7, description: 'Monday (1) to Sunday (7)' })

export const Repeats = Type.Object(
  {
    every: Type.Unsafe<Frequency>({ type: 'string', enum: [...frequencies] }),
    interval: Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostInterval,
        description: 'Every so many days, weeks or months, counted from the first day; defaults to 1',
      }),
    ),
    weekdays: Optional(
      Type.Array(Weekday, { maxItems: 7, description: 'Of `week`; without any, the weekday of the first day' }),
    ),
    monthDay: Optional(
      Type.Integer({
        minimum: 1,
        maximum: 31,
        description: 'Of `month`; a shorter month has it on its last day. Without it, the day of the first day',
      }),
    ),
    nth: Optional(
      Type.Object(
        {
          week: Type.Unsafe<WeekOfMonth>({
            type: 'integer',
            enum: [...weeksOfMonth],
            description: 'The first (1) to the fourth (4), or the last (-1)',
          }),
          weekday: Weekday,
        },
        { title: 'NthWeekday', description: 'Of `month`, instead of `monthDay`: such as the first Monday' },
      ),
    ),
  },
  { title: 'Repeats' },
)

const rule = {
  start: Optional(
    Nullable(Text(longest.time, { description: 'HH:MM; with only a start, the window lasts until midnight' })),
  ),
  end: Optional(
    Nullable(
      Text(longest.time, {
        description: 'HH:MM; one that is not after the start is on the next day. Without both, the whole day',
      }),
    ),
  ),
  from: Optional(Day('The first day, YYYY-MM-DD; defaults to today')),
  until: Optional(Nullable(Day('The last day. Not together with `count`'))),
  count: Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: mostOccurrences,
        description: 'How often it happens at most; days that are left out count',
      }),
    ),
  ),
  skipHolidays: Optional(Type.Boolean({ description: 'Leave out the holidays of the organisation' })),
  skips: Optional(Type.Array(Day('YYYY-MM-DD'), { maxItems: mostSkips, description: 'Days that are left out' })),
}

const fields = {
  ...rule,
  daysAhead: Optional(
    Type.Integer({
      minimum: 1,
      maximum: mostDaysAhead,
      description: 'How many days ahead its tasks are made; defaults to 7',
    }),
  ),
  awbPrefix: Optional(
    Nullable(
      Text(longest.awbPrefix, {
        description: 'The AWBs are this, a dash and the day: `MARKET-20261119`. Without it, they are generated',
      }),
    ),
  ),
  isPaused: Optional(Type.Boolean({ description: 'No more tasks are made; those that were stay' })),
}

export const ScheduleInput = Type.Object(
  { name: Name(), task: ScheduledTask, repeats: Repeats, ...fields },
  { title: 'ScheduleInput' },
)
export type ScheduleInput = Static<typeof ScheduleInput>

export const ScheduleUpdate = Type.Object(
  { name: Optional(Name()), task: Optional(ScheduledTask), repeats: Optional(Repeats), ...fields },
  {
    title: 'ScheduleUpdate',
    description: 'Fields not given stay unchanged. `task` and `repeats` are replaced as a whole',
  },
)
export type ScheduleUpdate = Static<typeof ScheduleUpdate>

const ShownDay = (description: string) => Type.String({ description })

export const ScheduleProblem = Type.Object(
  {
    day: Nullable(ShownDay('The day whose task could not be made')),
    code: Type.String(),
    message: Type.String(),
    at: Time(),
  },
  { title: 'ScheduleProblem', description: 'Why a task could not be made; it is tried again' },
)

export const Schedule = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    task: ScheduledTask,
    repeats: Repeats,
    start: Nullable(Type.String()),
    end: Nullable(Type.String()),
    from: ShownDay('YYYY-MM-DD'),
    until: Nullable(Type.String()),
    count: Nullable(Type.Integer()),
    skipHolidays: Type.Boolean(),
    skips: Type.Array(Type.String()),
    daysAhead: Type.Integer(),
    awbPrefix: Nullable(Type.String()),
    isPaused: Type.Boolean(),
    nextDay: Nullable(
      ShownDay('The next day on which it happens, today included; null if there is none, or it is paused'),
    ),
    lastProblem: Nullable(ScheduleProblem),
    createdAt: Time(),
    updatedAt: Time(),
  },
  { title: 'Schedule' },
)
export type Schedule = Static<typeof Schedule>

export const PreviewInput = Type.Object({ repeats: Repeats, ...rule }, { title: 'SchedulePreviewInput' })
export type PreviewInput = Static<typeof PreviewInput>

const reasons = ['skipped', 'holiday'] as const
const leftOut = Type.Unsafe<(typeof reasons)[number]>({
  type: 'string',
  enum: [...reasons],
  description: '`skipped`: it is among `skips`; `holiday`: it is one, and `skipHolidays` is on',
})

export const PreviewDay = Type.Object(
  {
    day: Type.String(),
    completeAfter: Time(),
    completeBefore: Time(),
    leftOut: Nullable(leftOut),
    holiday: Nullable(ShownDay('What the holiday on this day is called, if there is one')),
  },
  { title: 'PreviewDay' },
)
export type PreviewDay = Static<typeof PreviewDay>

export const Occurrence = Type.Object(
  {
    ...PreviewDay.properties,
    taskId: Nullable(Id('Its task, if it was made')),
    awb: Nullable(Type.String({ description: 'Null if it was not made, or deleted since' })),
    statusId: Nullable(Status),
    isChanged: Type.Boolean({ description: 'Somebody edited this task: it no longer follows the schedule' }),
  },
  { title: 'Occurrence' },
)
export type Occurrence = Static<typeof Occurrence>

export const OccurrenceQuery = Type.Object({
  from: Optional(Day('The first day; defaults to today')),
  to: Optional(Day('The last day; defaults to 31 days later')),
})
export type OccurrenceQuery = Static<typeof OccurrenceQuery>

export const DeleteScheduleQuery = Type.Object({
  tasks: Optional(
    Type.String({
      enum: ['keep', 'delete'],
      description:
        'What becomes of tasks of today and later that are not started and that nobody edited; `keep` is the default',
    }),
  ),
})

// A template may leave out anything, the address too.
const { address, ...ofTemplate } = body

export const TemplateTask = Type.Object(
  { ...ofTemplate, address: Optional(address) },
  { title: 'TemplateTask', description: 'Any part of a task' },
)
export type TemplateTask = Static<typeof TemplateTask>

export const TemplateInput = Type.Object({ name: Name(), task: TemplateTask }, { title: 'TemplateInput' })
export type TemplateInput = Static<typeof TemplateInput>
export const TemplateUpdate = Type.Object(
  { name: Optional(Name()), task: Optional(TemplateTask) },
  { title: 'TemplateUpdate', description: 'Fields not given stay unchanged. `task` is replaced as a whole' },
)
export type TemplateUpdate = Static<typeof TemplateUpdate>
export const Template = Type.Object(
  { id: Id(), name: Type.String(), task: TemplateTask, createdAt: Time(), updatedAt: Time() },
  { title: 'Template' },
)
export type Template = Static<typeof Template>

export const HolidayInput = Type.Object(
  {
    day: Day('YYYY-MM-DD; a day that is in the list already is replaced'),
    name: Optional(Text(longest.name)),
    isWorkingDay: Optional(
      Type.Boolean({ description: 'true: work goes on, although the day is a public holiday of the country' }),
    ),
  },
  { title: 'HolidayInput' },
)
export type HolidayInput = Static<typeof HolidayInput>

export const Holiday = Type.Object(
  {
    id: Nullable(Id('Null of a public holiday, which is not in the list of the organisation')),
    day: Type.String(),
    name: Type.String(),
    isWorkingDay: Type.Boolean(),
  },
  { title: 'Holiday' },
)
export type Holiday = Static<typeof Holiday>

export const HolidayQuery = Type.Object({
  year: Optional(Type.Integer({ minimum: 2000, maximum: 2100, description: 'Defaults to the current year' })),
})
