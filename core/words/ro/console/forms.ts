import type { formWords as english } from '../../en/console/forms.ts'
import type { Translation } from '../../say.ts'

export const formWords = {
  forms: 'Formulare',
  defaultForm: 'Formular implicit',
  deletedForm: 'Formular șters între timp',
  form: 'Formular',
  formAnswers: 'Formular completat',
  feedback: 'Evaluare',
  stars: { one: '{n} stea din 5', few: '{n} stele din 5', other: '{n} de stele din 5' },
  scannedRight: 'Codul este corect',
  scannedField: 'Codul este corect ({field})',
  scannedWrong: 'Codul altui colet',
} as const satisfies Translation<typeof english>
