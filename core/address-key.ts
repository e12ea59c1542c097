import { fold, inFull } from './search.ts'

/*
 * When two addresses are one place: written with or without accents, abbreviations, "nr." and commas, and whatever the
 * flat and the floor. Not guessed: what could be another house is another place.
 */

/** The parts of an address that say where it is. */
export interface WrittenAddress {
  /** The whole address in one line. */
  address: string
  city: string | null
  area: string | null
  /** Two letters, such as RO. */
  country: string
  street_name: string | null
  street_number: string | null
  postal_code: string | null
}

/** Words that are written in several ways. */
const alike: Record<string, string> = {
  ...inFull,
  bloc: 'bl',
  blocul: 'bl',
  scara: 'sc',
  apartament: 'ap',
  apartamentul: 'ap',
  apt: 'ap',
  etaj: 'et',
  etajul: 'et',
  sectorul: 'sector',
  judetul: 'jud',
  judet: 'jud',
}

/** "12-14" and "12/4" are numbers of houses; "Târgu-Mureș" is two words. Only spaces and signs stand around them. */
function wordsOf(line: string): string[] {
  const words = fold(line)
    .split(/[^\p{L}\p{N}\-/+]+/u)
    .flatMap((word) => (/\d/.test(word) ? word : word.split(/[-/+]+/)))
    .map((word) => word.replace(/^[-/+]+|[-/+]+$/g, ''))
    .flatMap((word) => /^(bl|sc|ap|et|nr)(\d+[a-z]?)$/.exec(word)?.slice(1) ?? word)
    .map((word) => alike[word] ?? word)
    .filter(Boolean)
  return joinLetters(words)
}

/** "12 A" is "12A". */
function joinLetters(words: string[]): string[] {
  const joined: string[] = []
  for (const word of words) {
    const before = joined.at(-1)
    if (before !== undefined && /^[a-z]$/.test(word) && /^\d+$/.test(before)) joined[joined.length - 1] = before + word
    else joined.push(word)
  }
  return joined
}

/** Where flats and floors are written like this. Elsewhere "et 9" may be a part of a street's name. */
const withRomanianFlats = ['RO', 'MD']
const afterFlat = /^\d+[a-z]?$/
const afterFloor = /^(\d{1,2}|parter|p|demisol|mansarda)$/
const afterStaircase = /^([a-z]|\d{1,2}[a-z]?)$/

/** Without the flat, the floor and the number of its intercom; and without the staircase, if there is one. */
function withoutFlat(words: readonly string[], country: string) {
  if (!withRomanianFlats.includes(country)) return { place: words, building: words }
  const isFlat = (at: number) => {
    const [word, next = ''] = words.slice(at, at + 2)
    return (
      (word === 'ap' && afterFlat.test(next)) ||
      (word === 'et' && afterFloor.test(next)) ||
      (word === 'interfon' && next)
    )
  }
  const isOf = (test: (at: number) => unknown) => (at: number) => test(at) || (at > 0 && test(at - 1))
  const isStaircase = (at: number) => words[at] === 'sc' && afterStaircase.test(words[at + 1] ?? '')
  const place = words.filter((word, at) => !isOf(isFlat)(at) && word !== 'parter')
  const building = words.filter((word, at) => !isOf(isFlat)(at) && word !== 'parter' && !isOf(isStaircase)(at))
  return { place, building }
}

const months =
  /^(ianuarie|februarie|martie|aprilie|mai|iunie|iulie|august|septembrie|octombrie|noiembrie|decembrie|januarie?|january|february|march|april|may|june|july|september|october|november|december|marz|maggio)$/

/** "13" of "Calea 13 Septembrie" and "3" of "Sector 3" are the number of no house; a postcode is longer than one. */
const isNumbered = (words: readonly string[]) =>
  words.some(
    (word, at) =>
      /^\d{1,4}[a-z]?([-/+]\d*[a-z]?)*$/.test(word) && !months.test(words[at + 1] ?? '') && words[at - 1] !== 'sector',
  )

/** The address, and the parts that are not written in its line. */
function lineOf({ address, street_name, street_number, postal_code, city, area }: WrittenAddress): string {
  const written = new Set(wordsOf(address))
  const isMissing = (part: string | null) => !wordsOf(part ?? '').every((word) => written.has(word))
  const parts = [street_name, street_number, postal_code, city, area].filter(isMissing)
  return [address, ...parts].join(' ')
}

/**
 * The texts by which the place of an address is known, the most exact one first: with the staircase, then the house. None
 * if it names no house: a street, a village or a town is that of many.
 */
export function addressKeys(address: WrittenAddress): string[] {
  const words = wordsOf(lineOf(address))
  const { place, building } = withoutFlat(words, address.country)
  if (!isNumbered(building)) return []
  return [...new Set([place, building].map((some) => `${address.country} ${some.join(' ')}`))]
}

/** As they are after `alike`; what was written may be shorter. */
const inKeys = new Set(Object.values(alike).flatMap((word) => word.split(' ')))

/**
 * A test that every address of this place passes, and few others: whether the words of its key stand in the text. For looking
 * through many addresses, because making their keys takes far longer.
 */
export function mayBeOf(key: string): (folded: string) => boolean {
  const words = key.split(' ').filter((word, at) => at > 0 && !/\d/.test(word) && !inKeys.has(word))
  return (folded) => words.every((word) => folded.includes(word))
}

/** What `mayBeOf` looks at. */
export const foldAddress = ({ address, street_name, street_number, postal_code, city, area }: WrittenAddress) =>
  fold([address, street_name, street_number, postal_code, city, area].filter(Boolean).join(' '))
