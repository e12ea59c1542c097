import type { Words } from './words.ts'

/** Why tasks fail, as an organisation names it. */
export const reasonWords = {
  reasons: ['Reasons', 'Motive'],
  reasonsLead: ['What drivers choose from when a task fails.', 'Ce pot alege șoferii când o comandă eșuează.'],
  noReasons: ['No reasons yet', 'Încă nu ai motive'],
  noReasonsLead: [
    'Without reasons, drivers write in their own words why a task failed.',
    'Fără motive, șoferii scriu cu cuvintele lor de ce a eșuat comanda.',
  ],
  newReason: ['New reason', 'Motiv nou'],
  editReason: ['Edit reason', 'Editează motivul'],
  reasonCode: ['Code', 'Cod'],
  reasonCodeHint: [
    'Letters, digits, - and _. It cannot be changed later.',
    'Litere, cifre, - și _. Nu poate fi schimbat mai târziu.',
  ],
  reasonLabel: ['Reason as drivers see it', 'Motivul, așa cum îl văd șoferii'],
  reasonLabelIn: ['Reason in {language}', 'Motivul în limba {language}'],
  reasonNeeds: ['Required', 'Obligatoriu'],
  photoRequired: ['Photo', 'Fotografie'],
  noteRequired: ['Note', 'Notă'],
  askForPhoto: ['Drivers must add a photo', 'Șoferii trebuie să adauge o fotografie'],
  askForNote: ['Drivers must write a note', 'Șoferii trebuie să scrie o notă'],
  reasonSaved: ['Reason saved', 'Motiv salvat'],
  reasonDeleted: ['Reason deleted', 'Motiv șters'],
  deleteReasonLead: [
    'Drivers can no longer choose {name}. Tasks that failed with it keep it.',
    'Șoferii nu mai pot alege {name}. Comenzile eșuate din acest motiv îl păstrează.',
  ],
  ownWords: ['In your own words', 'Cu propriile cuvinte'],
  moreAboutReason: ['Details', 'Detalii'],
} as const satisfies Words
