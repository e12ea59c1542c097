import type { reasonWords as english } from '../../en/console/reasons.ts'
import type { Translation } from '../../say.ts'

export const reasonWords = {
  reasons: 'Motive',
  schedules: 'Comenzi recurente',
  ownWords: 'Cu propriile cuvinte',
  moreAboutReason: 'Detalii',
} as const satisfies Translation<typeof english>
