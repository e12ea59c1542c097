/*
 * Trips the engine was asked for, by start and end. Two generations: an entry that is used moves to the younger one,
 * and when that is full, the older one is dropped. Everything is dropped after a while, once a day by default, because engines
 * get new maps.
 */

const dayMs = 24 * 3_600_000

export function createWayCache(most: number, freshMs = dayMs, now: () => number = Date.now) {
  type Generation = Map<string, Map<string, number>>
  let young: Generation = new Map()
  let old: Generation = new Map()
  let count = 0
  let began = now()

  function makeRoom() {
    const isOver = now() - began > freshMs
    if (!isOver && count < most / 2) return
    old = isOver ? new Map() : young
    young = new Map()
    count = 0
    if (isOver) began = now()
  }

  function set(from: string, to: string, value: number) {
    makeRoom()
    const row = young.get(from) ?? new Map<string, number>()
    young.set(from, row.set(to, value))
    count += 1
  }

  return {
    set,
    get(from: string, to: string): number | undefined {
      makeRoom()
      const found = young.get(from)?.get(to)
      if (found !== undefined) return found
      const aged = old.get(from)?.get(to)
      if (aged !== undefined) set(from, to, aged)
      return aged
    },
  }
}

/** Both values in one exact number (metres take 26 bits): a map of numbers is smaller than one of objects. */
export const pack = (seconds: number, metres: number) => seconds * 2 ** 26 + metres
export const secondsIn = (packed: number) => Math.floor(packed / 2 ** 26)
export const metresIn = (packed: number) => packed % 2 ** 26
