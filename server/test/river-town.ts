import type { TestContext } from 'node:test'
import type { Point } from '../../core/geo.ts'
import { drawRoads, type Place, pointAt } from './drawn-roads.ts'

/*
 * A small town: five streets by five, a hundred metres apart, numbered from the south-west. Strada 0 … 4 lead east, Calea 0 … 4
 * north. A river runs between Calea 2 and Calea 3, and only Strada 2 has a bridge. Strada 4 is one-way to the east.
 */

const numbers = [0, 1, 2, 3, 4]

/** A place, in streets: (1.5, 2) is half way between Calea 1 and Calea 2, on Strada 2. */
export const at = (calea: number, strada: number): Point => pointAt([calea * 100, strada * 100])

/** Makes the file of its roads. Returns the path. */
export async function makeTown(t: TestContext, { bridge = 2 } = {}): Promise<string> {
  const paper = drawRoads()
  for (const strada of numbers) {
    const corners = numbers.map((calea): Place => [calea * 100, strada * 100])
    const tags: Record<string, string> = strada === 4 ? { oneway: 'yes' } : {}
    const banks = strada === bridge ? [corners] : [corners.slice(0, 3), corners.slice(3)]
    for (const bank of banks) paper.road(bank, tags)
  }
  for (const calea of numbers) paper.road(numbers.map((strada): Place => [calea * 100, strada * 100]))
  return (await paper.make(t)).path
}
