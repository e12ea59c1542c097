import type { Language } from '../../../core/words/languages.ts'
import type { Say } from '../../words/driver.ts'

/** Keeps what the phone says while the app is closed where the service worker, which has no texts, can read it. */
export async function keepNotice(language: Language, say: Say) {
  // Without HTTPS there is neither a service worker nor a cache.
  if (!('caches' in window)) return
  try {
    const cache = await caches.open(__NOTICE__)
    await cache.put(`/${__NOTICE__}`, Response.json({ lang: language, body: say('routeChanged') }))
  } catch {
    // The phone is full. The notification that comes then has only its title, or the sentence from before.
  }
}
