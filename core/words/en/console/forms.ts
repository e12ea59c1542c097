import type { Texts } from '../../say.ts'

/** What drivers fill in, and what customers say afterwards. */
export const formWords = {
  forms: 'Forms',
  defaultForm: 'Default form',
  deletedForm: 'Deleted form',
  form: 'Form',
  formAnswers: 'Form',
  feedback: 'Feedback',
  stars: { one: '{n} star out of 5', other: '{n} stars out of 5' },
  scannedRight: 'The code is right',
  scannedField: 'The code is right ({field})',
  scannedWrong: 'The code of another parcel',
} as const satisfies Texts
