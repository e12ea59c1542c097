import type { Db } from '../../../db/db.ts'
import { sql } from '../../../db/sql.ts'
import { isKindOfPlace, postalWord, readPlaceName, weightOf } from '../names.ts'
import { formsOf, hashOf, likenessOf } from '../spelling.ts'
import type { Query, Token } from './parse.ts'

/* What of the register may be meant, by a few look-ups with an index each. */

/** A word of the register, and how alike the words of the query are to it. */
interface KnownWord {
  id: number
  word: string
  street_count: number
  place_ids: number[]
}

export interface KnownPlace {
  id: number
  name: string
  other_names: string[]
  kind: string
  population: number
  country: string | null
  lat: number
  lng: number
  area_ids: number[]
}

export interface KnownStreet {
  id: number
  name: string
  other_names: string[]
  place_id: number
  area_id: number | null
  also_in: number[]
  postal_code: string | null
  lat: number
  lng: number
  reach_metres: number
  house_count: number
  has_postal_code: boolean
  /** How much of the query its words are; only to compare. */
  weight: number
}

/** A place that is named, and by which tokens (their positions). */
export interface NamedPlace {
  place: KnownPlace
  tokens: ReadonlySet<number>
  /** From 0 to 1. */
  score: number
}

/** So many words of the register for one that was typed. */
const mostWordsOfToken = 10
const mostPlaces = 120
const mostStreets = 40
/** Without a town, words that so many streets have say too little to look at them all. */
const mostStreetsOfWord = 4_000

export interface Match {
  word: KnownWord
  likeness: number
}

/** Whether a telling word was typed that so many streets have. */
export const hasCommonWord = ({ tokens }: Query, matches: readonly Match[][]) =>
  matches.some(
    ([best], at) =>
      best?.likeness === 1 && best.word.street_count > mostStreetsOfWord && (tokens[at]?.weight ?? 0) >= 0.5,
  )

/** "Strada" is not the village of Straja: what is a kind of street names a place only as it is written. */
const mayName = (token: Token | undefined, { likeness }: Match) => !token?.kind || likeness === 1

/** The words of the register that each token may be, best first. */
export async function findWords(db: Db, registerId: number, { tokens, postalCodes }: Query) {
  const forms = new Set<number>()
  const wanted = tokens.map((token) => [token.word, ...token.others])
  for (const words of wanted) for (const word of words) for (const form of formsOf(word)) forms.add(form)
  const codes = postalCodes.map(postalWord)
  for (const code of codes) forms.add(hashOf(code))
  const known = await db.many<KnownWord>(sql`
    select distinct w.id, w.word, w.street_count, w.place_ids
    from register_spellings s
    join register_words w on w.register_id = s.register_id and w.id = s.word_id
    where s.register_id = ${registerId} and s.form = any(${[...forms]}::int[])`)
  const begun = tokens.at(-1)?.isBeginning ? await findBeginnings(db, registerId, tokens.at(-1) as Token) : []
  const matches = tokens.map((token, at): Match[] => {
    const best = new Map<number, Match>()
    const keep = (word: KnownWord, likeness: number) => {
      if (likeness > (best.get(word.id)?.likeness ?? 0)) best.set(word.id, { word, likeness })
    }
    for (const word of known) {
      if (word.word.startsWith('#')) continue
      const likeness = Math.max(
        ...(wanted[at] as string[]).map((one, index) => likenessOf(one, word.word) * (index === 0 ? 1 : 0.95)),
      )
      if (likeness > 0) keep(word, likeness)
    }
    if (token.isBeginning) for (const word of begun) keep(word, word.word === token.word ? 1 : 0.9)
    return [...best.values()]
      .sort((a, b) => b.likeness - a.likeness || b.word.street_count - a.word.street_count)
      .slice(0, mostWordsOfToken)
  })
  return { matches, codes: known.filter(({ word }) => codes.includes(word)) }
}

const fewestLetters = 2
const mostBeginnings = 30

/** Words that begin so, the most common ones first. */
async function findBeginnings(db: Db, registerId: number, { word }: Token): Promise<KnownWord[]> {
  if (word.length < fewestLetters || /^\d/.test(word)) return []
  return db.many<KnownWord>(sql`
    select id, word, street_count, place_ids from register_words
    where register_id = ${registerId} and word >= ${word} and word < ${`${word}\u{10ffff}`}
    order by street_count + cardinality(place_ids) desc limit ${mostBeginnings}`)
}

/** Towns, suburbs and counties that are named. */
export async function findPlacesNamed(
  db: Db,
  registerId: number,
  { tokens }: Query,
  matches: readonly Match[][],
): Promise<NamedPlace[]> {
  const likenesses = new Map<number, Map<number, number>>()
  for (const [at, found] of matches.entries()) {
    if (tokens[at]?.numbers.length === 0 || /^\d$/.test(tokens[at]?.word ?? ''))
      for (const { word, likeness } of found.filter((match) => mayName(tokens[at], match)))
        for (const id of word.place_ids) {
          const ofPlace = likenesses.get(id) ?? new Map<number, number>()
          ofPlace.set(at, Math.max(likeness, ofPlace.get(at) ?? 0))
          likenesses.set(id, ofPlace)
        }
  }
  const sum = (ofPlace: Map<number, number>) =>
    [...ofPlace].reduce((total, [at, likeness]) => total + likeness ** 2 * (tokens[at]?.role === 'line' ? 1 : 1.5), 0)
  const ids = [...likenesses]
    .map(([id, ofPlace]) => ({ id, sum: sum(ofPlace) }))
    .sort((a, b) => b.sum - a.sum)
    .slice(0, mostPlaces)
    .map(({ id }) => id)
  if (ids.length === 0) return []
  const places = await db.many<KnownPlace>(sql`
    select id, name, other_names, kind, population, country, lat, lng, area_ids from register_places
    where register_id = ${registerId} and id = any(${ids}::int[])`)
  return places
    .flatMap((place) => readNamed(place, tokens, matches) ?? [])
    .sort((a, b) => b.score - a.score || b.place.population - a.place.population)
}

const isNumber = (word: string) => /^\d/.test(word)

/** Whether a place is named: all the telling words of one of its names are there. */
function readNamed(place: KnownPlace, tokens: readonly Token[], matches: readonly Match[][]): NamedPlace | undefined {
  let best: NamedPlace | undefined
  for (const [index, name] of [place.name, ...place.other_names].entries()) {
    const used = new Set<number>()
    let [sum, whole] = [0, 0]
    // Numbers last: "Sector 2" has the one beside it, not that of the house.
    const words = readPlaceName(name)
    for (const word of [...words.filter((one) => !isNumber(one)), ...words.filter(isNumber)]) {
      const weight = Math.max(0.2, weightOf(word))
      whole += weight
      // A town may be named twice: in the line, and apart from it.
      let [likeness, alike] = [0, [] as number[]]
      for (const [at, found] of matches.entries()) {
        const match = used.has(at) ? undefined : found.find((one) => one.word.word === word)
        if (!match || match.likeness < likeness || !mayName(tokens[at], match)) continue
        if (match.likeness > likeness) [likeness, alike] = [match.likeness, []]
        alike.push(at)
      }
      const near = (at: number) => Math.min(...[...used].map((other) => Math.abs(other - at)))
      if (isNumber(word)) alike = alike.toSorted((a, b) => near(a) - near(b)).slice(0, 1)
      for (const at of alike) used.add(at)
      sum += weight * likeness
    }
    const coverage = whole > 0 ? sum / whole : 0
    const isSaid = [...used].some((at) => tokens[at]?.role === 'city')
    // "Cluj" for Cluj-Napoca only where it was said to be the city, and never "Ghiroda" for Ghiroda Nouă.
    const mayBeShort = isSaid && (place.kind === 'city' || place.kind === 'town')
    if (coverage < (mayBeShort ? 0.45 : 0.7)) continue
    const score = coverage - (index === 0 ? 0 : 0.02)
    if (!best || score > best.score || (score === best.score && used.size > best.tokens.size))
      best = { place, tokens: used, score }
  }
  return best
}

const streetColumns = sql`s.id, s.name, s.other_names, s.place_id, s.area_id, s.also_in, s.postal_code, s.lat, s.lng,
  s.reach_metres, s.house_count`

/** Streets with as many of the words as possible, in some places, or anywhere. */
export async function findStreets(
  db: Db,
  registerId: number,
  matches: readonly Match[][],
  codes: readonly KnownWord[],
  tokens: readonly Token[],
  placeIds: readonly number[] | undefined,
): Promise<KnownStreet[]> {
  const [words, positions, weights]: [number[], number[], number[]] = [[], [], []]
  for (const [at, found] of matches.entries()) {
    const token = tokens[at] as Token
    if (token.role !== 'line' || isKindOfPlace(token.word)) continue
    for (const { word, likeness } of found) {
      if (word.street_count === 0 || (!placeIds && word.street_count > mostStreetsOfWord)) continue
      words.push(word.id)
      positions.push(at)
      weights.push(Math.max(0.1, token.weight) * likeness)
    }
  }
  for (const code of codes) {
    words.push(code.id)
    positions.push(-1)
    weights.push(0.4)
  }
  if (words.length === 0) return []
  const inPlaces = placeIds ? sql`and p.place_id = any(${placeIds}::int[])` : sql``
  return db.many<KnownStreet>(
    sql`
    with given as materialized (
      select * from unnest(${words}::int[], ${positions}::int[], ${weights}::float4[]) as given (word_id, position, weight)
    ), hits as (
      select p.street_id, given.position, max(given.weight) as weight
      from given
      join register_postings p on p.register_id = ${registerId} and p.word_id = given.word_id ${inPlaces}
      group by p.street_id, given.position
    ), best as (
      select street_id, sum(weight) as weight, bool_or(position = -1) as has_postal_code from hits
      group by street_id order by weight desc, street_id limit ${mostStreets}
    )
    select ${streetColumns}, best.has_postal_code, best.weight
    from best
    join register_streets s on s.register_id = ${registerId} and s.id = best.street_id
    order by best.weight desc, s.house_count desc`,
  )
}

/** Whether there are more that fit as well as these: nobody can say which one is meant. */
export function areTooMany(streets: readonly KnownStreet[]): boolean {
  const [first, last] = [streets[0]?.weight ?? 0, streets.at(-1)?.weight ?? 0]
  return streets.length === mostStreets && last > 0.95 * first
}

/** The houses and lines of a few streets. */
export const findHouses = (db: Db, registerId: number, streetIds: readonly number[]) =>
  db.many<{ id: number; houses: string; line: string }>(sql`
    select id, houses, line from register_streets where register_id = ${registerId} and id = any(${streetIds}::int[])`)

export const findPlacesById = (db: Db, registerId: number, ids: readonly number[]) =>
  db.many<KnownPlace>(sql`
    select id, name, other_names, kind, population, country, lat, lng, area_ids from register_places
    where register_id = ${registerId} and id = any(${ids}::int[])`)
