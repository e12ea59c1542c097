import type { toDecideWords as english } from '../../en/records/to-decide.ts'
import type { Translation } from '../../say.ts'

export const toDecideWords = {
  toDecide: 'Așteaptă o decizie',
  toDecideLead: 'Au eșuat la ultima încercare permisă de setări și încă nu urmează nimic.',
  noToDecide: 'Nimic de decis',
  noToDecideLead: 'Când eșuează ultima încercare a unei comenzi, ea așteaptă aici până când cineva decide ce urmează.',
  tryColumn: 'Încercarea',
  leaveAll: 'Lasă toate așa cum sunt',
  bringAllBack: 'Returnează tot expeditorului',
  toDecideNewest: 'Apar doar cele mai noi {n}. Celelalte urmează după ce decizi despre acestea.',
} as const satisfies Translation<typeof english>
