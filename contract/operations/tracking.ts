import { Type } from 'typebox'
import { reply, Text } from '../schema.ts'
import { FeedbackInput } from '../task.ts'
import type { Operation } from './operation.ts'

export const trackingOperations = {
  giveFeedback: {
    method: 'POST',
    path: '/t/:uuid/feedback',
    tag: 'Tracking',
    summary: 'Rate a task that has ended, once, with the token of its tracking page',
    access: 'anybody',
    signsIn: true,
    params: Type.Object({ uuid: Text(100) }),
    body: FeedbackInput,
    reply: reply({}),
    missing: 'TASK_NOT_FOUND',
    refuses: ['FORBIDDEN_BY_SETTING', 'TASK_NOT_ENDED', 'FEEDBACK_GIVEN', 'RATE_LIMITED'],
  },
} as const satisfies Record<string, Operation>
