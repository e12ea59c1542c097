import type { Texts } from '../say.ts'

/** What is said about trying failed tasks again, bringing parcels back, and correcting how a task ended. Loaded with the first of it. */
export const tryWords = {
  tryAgain: 'Try again',
  bringBack: 'Return to sender',
  correctEnd: 'Correct the outcome',
  tryAgainTitle: { one: 'Try {n} task again', other: 'Try {n} tasks again' },
  tryAgainLead: 'Each becomes a new task with the same address. What is still to be paid is collected then.',
  tryFrom: 'From',
  tryUntil: 'Until',
  tryWindowHint: 'Left empty, a time window that is not over yet stays.',
  tryDriver: 'Driver',
  nobodyYet: 'Nobody yet',
  bringBackTitle: { one: 'Bring {n} parcel back', other: 'Bring {n} parcels back' },
  bringBackLead: 'Each becomes a new task to the hub, for the driver who has the parcel.',
  triedAgain: { one: '{n} task will be tried again', other: '{n} tasks will be tried again' },
  broughtBack: { one: '{n} parcel goes back', other: '{n} parcels go back' },
  notTried: { one: '{n} task stays as it is', other: '{n} tasks stay as they are' },
  triesUndone: { one: 'Undone: {n} new task deleted', other: 'Undone: {n} new tasks deleted' },
  triesStay: {
    one: '{n} new task stays, because something has happened with it: {awbs}',
    other: '{n} new tasks stay, because something has happened with them: {awbs}',
  },
  correctTitle: 'Correct the outcome of {awb}',
  correctToSucceededLead:
    'It counts as succeeded then, and receivers are told so. When it ended and what was paid stay.',
  correctToFailedLead: 'It counts as failed then, and receivers are told so. When it ended and what was paid stay.',
  correctReason: 'Why it is corrected',
  markAsSucceeded: 'It succeeded',
  markAsFailed: 'It failed',
  corrected: 'The outcome of {awb} was corrected',
  tryNumber: 'Try {n}',
  attemptOf: 'Tries again',
  reattemptedAs: 'Tried again as',
  returnOf: 'Brings back',
  returnedAs: 'Goes back as',
} as const satisfies Texts
