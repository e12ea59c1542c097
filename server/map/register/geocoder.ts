import type { Db } from '../../db/db.ts'
import { type FoundParts, type Geocoder, type Located, locate } from '../../outside/geocoders/geocoder.ts'
import { listRegisters } from './queries.ts'
import { type Found, search } from './search/search.ts'

/** What is better, where two registers know an address. */
const worth = { house: 3, interpolated: 2, street: 1, city: 0 } as const

/** Finds addresses in what was imported, without asking anybody. */
export const createRegisterGeocoder = (db: Db): Geocoder => ({
  name: 'register',
  async find(place) {
    let best: Found | undefined
    for (const id of await listRegisters(db)) {
      const found = await search(db, id, place)
      if (found && (!best || worth[found.detail] > worth[best.detail])) best = found
      if (best?.detail === 'house') break
    }
    return best && present(best)
  },
})

function present({ lat, lng, detail, parts }: Found): Located {
  const known = Object.entries(parts).filter(([, part]) => part !== null)
  return locate({ lat, lng }, detail, Object.fromEntries(known) as FoundParts)
}
