import type { reasonPageWords as english } from '../../en/records/reasons.ts'
import type { Translation } from '../../say.ts'

export const reasonPageWords = {
  reasonsLead: 'Ce pot alege șoferii când o comandă eșuează.',
  noReasons: 'Încă nu ai motive',
  noReasonsLead: 'Fără motive, șoferii scriu cu cuvintele lor de ce a eșuat comanda.',
  newReason: 'Motiv nou',
  editReason: 'Editează motivul',
  reasonCode: 'Cod',
  reasonCodeHint: 'Litere, cifre, - și _. Nu poate fi schimbat mai târziu.',
  reasonLabel: 'Motivul, așa cum îl văd șoferii',
  reasonLabelIn: 'Motivul ({language})',
  reasonNeeds: 'Obligatoriu',
  photoRequired: 'Fotografie',
  noteRequired: 'Notă',
  askForPhoto: 'Șoferii trebuie să adauge o fotografie',
  askForNote: 'Șoferii trebuie să scrie o notă',
  reasonSaved: 'Motiv salvat',
  reasonDeleted: 'Motiv șters',
  deleteReasonLead: 'Șoferii nu mai pot alege {name}. Comenzile eșuate din acest motiv îl păstrează.',
} as const satisfies Translation<typeof english>
