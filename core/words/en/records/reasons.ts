import type { Texts } from '../../say.ts'

/** The page of reasons. */
export const reasonPageWords = {
  reasonsLead: 'What drivers choose from when a task fails.',
  noReasons: 'No reasons yet',
  noReasonsLead: 'Without reasons, drivers write in their own words why a task failed.',
  newReason: 'New reason',
  editReason: 'Edit reason',
  reasonCode: 'Code',
  reasonCodeHint: 'Letters, digits, - and _. It cannot be changed later.',
  reasonLabel: 'Reason as drivers see it',
  reasonLabelIn: 'Reason ({language})',
  reasonNeeds: 'Required',
  photoRequired: 'Photo',
  noteRequired: 'Note',
  askForPhoto: 'Drivers must add a photo',
  askForNote: 'Drivers must write a note',
  reasonSaved: 'Reason saved',
  reasonDeleted: 'Reason deleted',
  deleteReasonLead: 'Drivers can no longer choose {name}. Tasks that failed with it keep it.',
} as const satisfies Texts
