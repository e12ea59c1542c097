import { readRegions } from '../../../outside/geocoders/embedded.ts'
import { readPlaceName } from '../names.ts'
import type { Query } from './parse.ts'

/*
 * Counties that stand beside the town without a comma: "Timișoara Timiș Gheorghe Lazăr 9". An extract of a city does not have its
 * county, so the gazetteer says which names there are.
 */

/** So many countries are asked for at one time; each is a few kilobytes. */
const mostCountries = 16
const known = new Map<string, Promise<string[][]>>()

function regionsOf(country: string): Promise<string[][]> {
  const found = known.get(country) ?? read(country)
  if (!known.has(country) && known.size < mostCountries) {
    known.set(country, found)
    found.catch(() => known.delete(country))
  }
  return found
}

const read = async (country: string) => [...(await readRegions(country)).values()].map(readPlaceName)

/** "Jud. TM": what follows says which county, also abbreviated. */
const countyWords = new Set(['jud', 'judet', 'judetul'])

/** The positions of the tokens that name a county of the country. */
export async function findRegions({ tokens, country }: Query): Promise<Set<number>> {
  const found = new Set<number>()
  const names = country ? await regionsOf(country) : []
  for (const at of tokens.keys()) {
    if (countyWords.has(tokens[at - 1]?.word ?? '') && tokens[at]?.role === 'line') found.add(at)
    for (const words of names)
      if (words.every((word, index) => tokens[at + index]?.word === word))
        for (const index of words.keys()) found.add(at + index)
  }
  return found
}
