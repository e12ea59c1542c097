import { FileId, PictureSize } from '../file.ts'
import { reply, Text } from '../schema.ts'
import { FeedbackInput } from '../task.ts'
import { ChosenInput, InstructionsInput, OptOutInput, Tracking } from '../tracking.ts'
import { Type } from '../type.ts'
import type { Operation } from './operation.ts'

/** Everybody with the link of a task may call these; a right link always works, different wrong ones are counted per address. */
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
  streamTracking: {
    ...withLink,
    method: 'GET',
    path: '/t/:uuid/stream',
    summary: 'Be told when the tracking page of a task has something new to show, as server-sent events',
    streams: true,
    reply: reply({}),
    refuses: ['RATE_LIMITED'],
  },
  getTrackingFile: {
    ...withLink,
    method: 'GET',
    path: '/t/:uuid/files/:fileId',
    summary: 'Get a picture that the tracking page of a task shows',
    params: Type.Object({ uuid: Text(100), fileId: FileId() }),
    query: Type.Object({ size: PictureSize }),
    reply: reply({}),
    download: ['image/jpeg', 'image/png'],
    missing: 'FILE_NOT_FOUND',
    refuses: ['RATE_LIMITED'],
  },
  leaveInstructions: {
    ...withLink,
    method: 'POST',
    path: '/t/:uuid/instructions',
    summary: 'Leave instructions for the driver, until they arrive; they are added to the customer notes',
    formOf: page,
    body: InstructionsInput,
    reply: reply({}),
    refuses: ['INSTRUCTIONS_CLOSED', 'RATE_LIMITED'],
  },
  optOut: {
    ...withLink,
    method: 'POST',
    path: '/t/:uuid/optOut',
    summary: 'Get no more messages from this organisation, at the phone number and email address of the customer',
    formOf: page,
    body: OptOutInput,
    reply: reply({}),
    refuses: ['RATE_LIMITED'],
  },
  chooseAgain: {
    ...withLink,
    method: 'POST',
    path: '/t/:uuid/reattempt',
    summary: 'Have a failed task tried again, once, on a day and in a window that the organisation offers',
    formOf: page,
    body: ChosenInput,
    reply: reply({}),
    refuses: ['REATTEMPT_CLOSED', 'RATE_LIMITED'],
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
