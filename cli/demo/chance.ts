import { drawBelow, drawUnit, makeRandom, type Random } from '../../core/optimise/random.ts'

export { makeRandom, type Random }

/** Separate randomness for each thing in a demo, so that adding a task does not change the others. */
export const chanceOf = (seed: number, what: string): Random =>
  makeRandom([...what].reduce((mixed, letter) => Math.imul(mixed ^ letter.charCodeAt(0), 0x01000193), seed | 0))

export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[drawBelow(random, items.length)] as Item

/** A whole number, both ends included. */
export const between = (random: Random, least: number, most: number) => least + drawBelow(random, most - least + 1)

export const happens = (random: Random, share: number) => drawUnit(random) < share

export const somewhere = (random: Random) => drawUnit(random)

export function shuffle<Item>(random: Random, items: readonly Item[]): Item[] {
  const mixed = [...items]
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = drawBelow(random, last + 1)
    const kept = mixed[last] as Item
    mixed[last] = mixed[other] as Item
    mixed[other] = kept
  }
  return mixed
}
