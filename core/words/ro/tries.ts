import type { tryWords as english } from '../en/tries.ts'
import type { Translation } from '../say.ts'

export const tryWords = {
  tryAgain: 'Încearcă din nou',
  bringBack: 'Returnează expeditorului',
  correctEnd: 'Corectează rezultatul',
  tryAgainTitle: {
    one: 'Încearcă din nou {n} comandă',
    few: 'Încearcă din nou {n} comenzi',
    other: 'Încearcă din nou {n} de comenzi',
  },
  tryAgainLead: 'Fiecare devine o comandă nouă, la aceeași adresă. Atunci se încasează ce a rămas de plată.',
  tryFrom: 'De la',
  tryUntil: 'Până la',
  tryWindowHint: 'Dacă rămân goale, se păstrează intervalul care nu a trecut încă.',
  tryDriver: 'Șofer',
  nobodyYet: 'Deocamdată nimeni',
  bringBackTitle: { one: 'Adu înapoi {n} colet', few: 'Adu înapoi {n} colete', other: 'Adu înapoi {n} de colete' },
  bringBackLead: 'Fiecare devine o comandă nouă spre depozit, pentru șoferul care are coletul.',
  triedAgain: {
    one: '{n} comandă va fi încercată din nou',
    few: '{n} comenzi vor fi încercate din nou',
    other: '{n} de comenzi vor fi încercate din nou',
  },
  broughtBack: { one: '{n} colet se întoarce', few: '{n} colete se întorc', other: '{n} de colete se întorc' },
  notTried: {
    one: '{n} comandă rămâne așa cum este',
    few: '{n} comenzi rămân așa cum sunt',
    other: '{n} de comenzi rămân așa cum sunt',
  },
  leaveAsItIs: 'Lasă așa cum e',
  leaveTitle: {
    one: 'Lasă {n} comandă așa cum e',
    few: 'Lasă {n} comenzi așa cum sunt',
    other: 'Lasă {n} de comenzi așa cum sunt',
  },
  leaveLead: 'Nu mai așteaptă nicio decizie. Poate fi în continuare încercată din nou sau returnată.',
  leftAsItIs: {
    one: '{n} comandă rămâne așa cum e',
    few: '{n} comenzi rămân așa cum sunt',
    other: '{n} de comenzi rămân așa cum sunt',
  },
  leavingUndone: {
    one: 'Anulat: {n} comandă așteaptă din nou o decizie',
    few: 'Anulat: {n} comenzi așteaptă din nou o decizie',
    other: 'Anulat: {n} de comenzi așteaptă din nou o decizie',
  },
  triesUndone: {
    one: 'Anulat: {n} comandă nouă ștearsă',
    few: 'Anulat: {n} comenzi noi șterse',
    other: 'Anulat: {n} de comenzi noi șterse',
  },
  triesStay: {
    one: '{n} comandă nouă rămâne, pentru că între timp s-a întâmplat ceva cu ea: {awbs}',
    few: '{n} comenzi noi rămân, pentru că între timp s-a întâmplat ceva cu ele: {awbs}',
    other: '{n} de comenzi noi rămân, pentru că între timp s-a întâmplat ceva cu ele: {awbs}',
  },
  triesLeft: {
    one: '{n} comandă nouă a rămas: {awbs}',
    few: '{n} comenzi noi au rămas: {awbs}',
    other: '{n} de comenzi noi au rămas: {awbs}',
  },
  correctTitle: 'Corectează rezultatul: {awb}',
  correctToSucceededLead:
    'Va figura ca finalizată, iar sistemele conectate sunt anunțate. Ora încheierii și plățile rămân.',
  correctToFailedLead: 'Va figura ca eșuată, iar sistemele conectate sunt anunțate. Ora încheierii și plățile rămân.',
  correctReason: 'De ce este corectat',
  markAsSucceeded: 'A reușit',
  markAsFailed: 'A eșuat',
  corrected: 'Rezultatul comenzii {awb} a fost corectat',
  tryNumber: 'Încercarea {n}',
  attemptOf: 'Reia comanda',
  reattemptedAs: 'Reîncercată ca',
  returnOf: 'Aduce înapoi',
  returnedAs: 'Se întoarce ca',
} as const satisfies Translation<typeof english>
