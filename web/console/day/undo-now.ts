import type { QueryClient } from '@tanstack/react-query'
import { loadTexts } from '../../../core/words/apps.ts'
import type { Language } from '../../../core/words/languages.ts'
import { makeSay } from '../../../core/words/say.ts'
import { api } from '../../api/client.ts'
import { itemProblem } from '../../api/problem.ts'
import type { useTell } from '../../ui/toast.tsx'
import type { Say } from '../../words/console.ts'
import { nameAwbs } from './name-awbs.ts'

interface Around {
  client: QueryClient
  tell: ReturnType<typeof useTell>
  language: Language
  say: Say
}

/**
 * Undoes what was done with this id, as far as nobody else has changed it since, and says what is not as it was. Throws
 * if the server could not be asked.
 */
export async function undoNow(undoId: string, { client, tell, language, say }: Around) {
  try {
    // First, because afterwards it must be possible to say what happened.
    const texts = await loadTexts('days', language)
    const { results } = await api.undoChanges({ body: { undoId } })
    const more = makeSay<keyof typeof texts>(language, texts)
    const refused = results.filter(({ success }) => !success)
    const reason = itemProblem(refused[0]?.error, say)
    const toStart = results.filter(({ notRestored }) => notRestored)
    const sentences = [
      refused.length === 0 && say('undone'),
      refused.length > 0 &&
        (refused.length < results.length
          ? more('undoneExcept', { n: refused.length, awbs: nameAwbs(refused), reason })
          : say('someRefused', { n: refused.length, reason })),
      toStart.length > 0 && more('startAgain', { n: toStart.length, awbs: nameAwbs(toStart) }),
    ]
    tell(sentences.filter(Boolean).join(' · '), { bad: refused.length > 0 })
  } finally {
    for (const word of ['tasks', 'task', 'driver-tasks']) void client.invalidateQueries({ queryKey: [word] })
  }
}
