import { Type } from 'typebox'
import { reply, Text } from '../schema.ts'
import { FeedbackInput } from '../task.ts'
import { Tracking } from '../tracking.ts'
import type { Operation } from './operation.ts'

/** Everybody with the link of a task may call these; wrong links are counted per address. */
const withLink = {
  tag: 'Tracking',
  access: 'anybody',
  signsIn: true,
  params: Type.Object({ uuid: Text(100) }),
  missing: 'TASK_NOT_FOUND',
} as const

const page = '/t/:uuid'

export const trackingOperations = {
  showTracking: {
    ...withLink,
    method: 'GET',
    path: page,
    summary: 'Show the tracking page of a task',
    page: true,
    query: Type.Object({ refused: Type.Optional(Text(100, { description: 'Why a form was refused: a code' })) }),
    reply: reply({}),
    refuses: ['RATE_LIMITED'],
  },
  getTracking: {
    ...withLink,
    method: 'GET',
    path: '/t/:uuid/task',
    summary: 'Get what the tracking page of a task shows',
    reply: reply({ tracking: Tracking }),
    refuses: ['RATE_LIMITED'],
  },
  giveFeedback: {
    ...withLink,
    method: 'POST',
    path: '/t/:uuid/feedback',
    summary: 'Rate a task that has ended, once, with the token of its tracking page',
    formOf: page,
    body: FeedbackInput,
    reply: reply({}),
    refuses: ['FORBIDDEN_BY_SETTING', 'TASK_NOT_ENDED', 'FEEDBACK_GIVEN', 'RATE_LIMITED'],
  },
} as const satisfies Record<string, Operation>
