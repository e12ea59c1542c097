import { en } from './en/server.ts'
import type { Language } from './languages.ts'
import { ro } from './ro/server.ts'
import type { Translation } from './say.ts'

type English = typeof en
type ServerTexts = Pick<English, 'standardTexts' | 'pickupTexts'> & {
  [Part in 'pages' | 'tracking' | 'proof' | 'printing' | 'messages']: Translation<English[Part]>
}

/** What the server writes: pages, proofs and messages. */
export const serverTexts: Record<Language, ServerTexts> = { en, ro }
