import { isKindOfPlace, readStreetName, type StreetName, weightOf } from '../names.ts'
import type { HouseNumber } from '../numbers.ts'
import { likenessOf } from '../spelling.ts'
import type { KnownPlace, KnownStreet, NamedPlace } from './candidates.ts'
import type { Query, Token } from './parse.ts'

/*
 * How well a street fits what was typed: how much of its name is there, and how much of what is there it explains. What nothing
 * explains counts against it, because a confident wrong answer is worse than none.
 */

export interface Ranked {
  street: KnownStreet
  /** From 0 to a little more than 1. */
  score: number
  /** How much of what was typed is explained by this street and its place. */
  explained: number
  /** Whether its name was written as it is. */
  isExact: boolean
  /** The number it would have, if one was typed. */
  numbers: readonly HouseNumber[]
  /** Without its town, a word that nothing explains may be another one: "Strada Morii 5, Sibiu" where Sibiu is not known. */
  mayBeElsewhere: boolean
  /** Whether any place it is in was named, and not only by the words of its own name: "Avram Iancu" is not in Ianca. */
  isPlaceNamed: boolean
}

const asideShare = 0.15
/** What stands in another part of the line than the street is less likely to be its name. */
const elsewhereShare = 0.4
const differentKind = 0.12
const unknownKind = 0.03
const oldName = 0.02
const otherCode = 0.08
const sameCode = 0.06
const notInPlace = 0.25
/** What decides between equals: words in their order, and more of them ("Martirilor 1989" is no house 1989). */
const inOrder = 0.01
const perWord = 0.01
/** A street that is only called by a number needs its kind: "Strada VI". */
const onlyNumber = 0.3
/** Titles and initials are often too many or too few. */
const mostStrange = 0.5
/** Where people say to be; suburbs and counties are not enough to know which of two towns is meant. */
const settlements = new Set(['city', 'town', 'village', 'hamlet', 'isolated_dwelling'])
/** Larger numbers are postcodes. */
const mostHouseNumber = 10_000

export interface Context {
  query: Query
  /** What is known of places by their number: those of the candidates, and those they are in. */
  places: ReadonlyMap<number, KnownPlace>
  named: readonly NamedPlace[]
  /** Towns that were said to be the city, if any: only streets in them are meant. */
  cities: readonly NamedPlace[]
  /** Tokens that name a county, which the register may not have. */
  regions: ReadonlySet<number>
}

export function rank(streets: readonly KnownStreet[], context: Context): Ranked[] {
  return streets.map((street) => rankStreet(street, context)).sort((a, b) => b.score - a.score)
}

/** Where a street is: its town, what that belongs to, and what else it is found in. */
export function placesOf(street: KnownStreet, places: ReadonlyMap<number, KnownPlace>): Set<number> {
  const own = [street.place_id, ...street.also_in, ...(street.area_id === null ? [] : [street.area_id])]
  return new Set(own.flatMap((id) => [id, ...(places.get(id)?.area_ids ?? [])]))
}

function rankStreet(street: KnownStreet, context: Context): Ranked {
  const { query, named, places, cities, regions } = context
  const { tokens } = query
  const around = placesOf(street, places)
  const byPlace = new Set<number>()
  for (const { place, tokens: ofPlace, score } of named)
    if (around.has(place.id) && score > 0.6) for (const at of ofPlace) byPlace.add(at)
  const towns = named.filter(
    ({ place, tokens: ofPlace, score }) =>
      around.has(place.id) &&
      score > 0.6 &&
      (settlements.has(place.kind) || [...ofPlace].some((at) => tokens[at]?.role === 'city')),
  )
  // Which county it is says nothing more, where the town is named; alone it may be another town of the same name.
  if (towns.length > 0) for (const at of regions) byPlace.add(at)
  const isInCity = cities.length === 0 || cities.some(({ place }) => around.has(place.id))

  let best: Fit = {
    score: Number.NEGATIVE_INFINITY,
    explained: 0,
    isExact: false,
    numbers: [],
    strange: 0,
    used: new Map(),
  }
  for (const [index, name] of [street.name, ...street.other_names].entries()) {
    const read = readStreetName(name)
    const fit = fitName(read, tokens, byPlace)
    const score = fit.score - (index === 0 ? 0 : oldName)
    if (score > best.score) best = { ...fit, score }
  }
  const hasCodes = query.postalCodes.length > 0
  const code = street.has_postal_code ? sameCode : hasCodes && street.postal_code ? -otherCode : 0
  const place = isInCity ? 0 : -notInPlace
  const { explained, isExact, numbers, strange, used } = best
  const isTownNamed = towns.some(({ tokens: ofTown }) => [...ofTown].some((at) => !used.has(at)))
  const mayBeElsewhere = strange > mostStrange && !isTownNamed
  const isPlaceNamed = [...byPlace].some((at) => !used.has(at))
  return { street, score: best.score + code + place, explained, isExact, numbers, mayBeElsewhere, isPlaceNamed }
}

interface Fit extends Pick<Ranked, 'score' | 'explained' | 'isExact' | 'numbers'> {
  /** How much of what was typed, anywhere, neither the street nor its place explains. */
  strange: number
  /** The tokens that are its name, and how alike they are. */
  used: ReadonlyMap<number, number>
}

function fitName({ kind, words }: StreetName, tokens: readonly Token[], byPlace: ReadonlySet<number>): Fit {
  const used = new Map<number, number>()
  let [whole, matched] = [0, 0]
  for (const word of words) {
    const weight = weightOf(word)
    whole += weight
    let [likeness, at] = [0, -1]
    for (const [index, token] of tokens.entries()) {
      if (used.has(index) || token.role !== 'line' || token.isHouseNumber) continue
      const found = likenessWith(token, word) * (byPlace.has(index) ? 0.97 : 1)
      if (found > likeness) [likeness, at] = [found, index]
    }
    if (at < 0) continue
    used.set(at, likeness)
    matched += weight * likeness
  }
  const coverage = whole > 0 ? matched / whole : 0

  const parts = new Set([...used.keys()].map((at) => (tokens[at] as Token).part))
  // A part with "Str." or a number in it is about the street, whatever else matched.
  for (const { kind: ofKind, numbers, part, role } of tokens)
    if (role === 'line' && (ofKind || numbers.some(({ number }) => number < mostHouseNumber))) parts.add(part)
  const house = numberOf(tokens, used, byPlace)
  let [explained, all, strange] = [0, 0, 0]
  let kindThere: boolean | undefined
  let isVague = false
  for (const [at, token] of tokens.entries()) {
    if (token.role !== 'line') continue
    const likeness = used.get(at)
    const share = (token.isAside ? asideShare : 1) * (parts.has(token.part) ? 1 : elsewhereShare)
    if (likeness !== undefined) {
      explained += token.weight * likeness * share
      all += token.weight * share
      continue
    }
    if (token.kind && parts.has(token.part)) {
      isVague ||= token.word === 'street' && kind !== undefined
      kindThere ||= token.kind === kind
      continue
    }
    if (byPlace.has(at) || at === house || token.kind || isKindOfPlace(token.word)) continue
    // A number that is neither that of the house nor a part of the name is one of a flat, or a postcode.
    if (token.numbers.length > 0 || /^\d+$/.test(token.word)) {
      all += 0.25 * share
      continue
    }
    all += token.weight * share
    if (!token.isAside) strange += token.weight
  }
  const part = all > 0 ? explained / all : 0
  // A foreigner's "street" is any kind of street.
  const otherKind = isVague ? unknownKind : differentKind
  const ofKind = kindThere === false ? (kind ? otherKind : unknownKind) : 0
  const isOnlyNumber = words.every((word) => /^\d+$/.test(word)) && kindThere !== true
  const order = [...used.keys()]
  const isInOrder = order.every((at, index) => index === 0 || at > (order[index - 1] as number))
  const small = (isInOrder ? inOrder : 0) + perWord * used.size - (isOnlyNumber ? onlyNumber : 0)
  const isExact = coverage > 0.99 && [...used.values()].every((likeness) => likeness > 0.96)
  const numbers = house === undefined ? [] : (tokens[house] as Token).numbers
  return { score: part * (0.55 + 0.45 * coverage) - ofKind + small, explained: part, isExact, numbers, strange, used }
}

/** How alike a typed word is to a word of a name; an initial or an abbreviation is a little. */
function likenessWith(token: Token, word: string): number {
  let likeness = likenessOf(token.word, word)
  for (const other of token.others) likeness = Math.max(likeness, 0.95 * likenessOf(other, word))
  if (likeness > 0) return likeness
  if (token.isBeginning && token.word.length > 0 && word.startsWith(token.word)) return 0.9
  const isShort = token.word.length <= 3 && /^\p{L}+$/u.test(token.word)
  if (isShort && word.length > token.word.length && word.startsWith(token.word)) return 0.6
  // And the other way round: the register has the initial.
  if (word.length === 1 && token.word.startsWith(word) && !/\d/.test(word)) return 0.6
  // "Ion" and "Ioan".
  if (token.word.length >= 3 && word.length >= 3 && token.word[0] === word[0] && areVariants(token.word, word))
    return 0.6
  return 0
}

/** Short names that differ by one vowel. */
function areVariants(one: string, other: string): boolean {
  if (Math.max(one.length, other.length) > 5 || Math.abs(one.length - other.length) > 1 || /\d/.test(one + other))
    return false
  const bare = (word: string) => word.replace(/[aeiou]/g, '')
  return bare(one) === bare(other) && bare(one).length > 0
}

/** Which token is the number of the house: the one that says so, else the nearest after the name, else before it. */
function numberOf(
  tokens: readonly Token[],
  used: ReadonlyMap<number, number>,
  byPlace: ReadonlySet<number>,
): number | undefined {
  const possible = [...tokens.keys()].filter((at) => {
    const token = tokens[at] as Token
    return token.numbers.length > 0 && !used.has(at) && !byPlace.has(at) && token.role === 'line' && !token.isAside
  })
  const said = possible.find((at) => tokens[at]?.isHouseNumber)
  if (said !== undefined) return said
  const usual = possible.filter((at) => (tokens[at]?.numbers[0]?.number ?? 0) < mostHouseNumber)
  if (used.size === 0) return usual[0]
  const [first, last] = [Math.min(...used.keys()), Math.max(...used.keys())]
  const after = usual.find((at) => at > last)
  const before = usual.findLast((at) => at < first)
  const partOf = (at: number | undefined) => (at === undefined ? undefined : tokens[at]?.part)
  const isBeforeNearer = before !== undefined && partOf(before) === partOf(first) && partOf(after) !== partOf(last)
  return isBeforeNearer ? before : (after ?? before)
}
