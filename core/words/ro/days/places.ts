import type { placeWords as english } from '../../en/days/places.ts'
import type { Translation } from '../../say.ts'

export const placeWords = {
  undoneExcept: {
    one: 'Acțiune anulată, cu excepția unei comenzi ({awbs}): {reason}',
    few: 'Acțiune anulată, cu excepția a {n} comenzi ({awbs}): {reason}',
    other: 'Acțiune anulată, cu excepția a {n} de comenzi ({awbs}): {reason}',
  },
  startAgain: {
    one: '{n} comandă era pe drum; șoferul trebuie să o pornească din nou ({awbs})',
    few: '{n} comenzi erau pe drum; șoferii trebuie să le pornească din nou ({awbs})',
    other: '{n} de comenzi erau pe drum; șoferii trebuie să le pornească din nou ({awbs})',
  },
  placeInRoute: 'Locul în traseu',
  placeInRouteOf: 'Locul în traseu: {driver}',
  placeBest: 'Cel mai bun loc',
  placeNext: 'Următoarea',
  placeLast: 'Ultima',
  placeArrival: 'Sosire la {time}, nicio comandă nu întârzie',
} as const satisfies Translation<typeof english>
