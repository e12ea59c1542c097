import type pg from 'pg'
import { postalWord, readPlaceName, readStreetName, weightOf } from '../names.ts'
import { type House, packHouses } from '../numbers.ts'
import { formsOf } from '../spelling.ts'
import { partitionOf } from './partitions.ts'
import type { Place } from './places.ts'
import { openWriter } from './stage.ts'

/* Streets and places go into their tables, and their words into those by which they are found. */

/** A word of so many places says nothing alone; they are found by their other words. */
const mostPlacesOfWord = 1_000

interface Word {
  id: number
  streets: number
  places: Set<number>
}

export interface Street {
  name: string
  otherNames: string[]
  placeId: number
  alsoIn: number[]
  areaId: number | null
  postalCode: string | null
  lat: number
  lng: number
  reachMetres: number
  /** Latitudes and longitudes from the place of the street. */
  line: number[]
  houses: House[]
  postalCodes: string[]
}

export type RegisterWriter = ReturnType<typeof openRegisterWriter>

export function openRegisterWriter(client: pg.Client, registerId: number) {
  const into = (table: Parameters<typeof partitionOf>[0], columns: string) =>
    openWriter(client, partitionOf(table, registerId), `register_id, ${columns}`)
  const streets = into(
    'register_streets',
    'id, name, other_names, place_id, area_id, also_in, postal_code, lat, lng, reach_metres, house_count, line, houses',
  )
  const postings = openWriter(client, 'found_postings', 'word_id, place_id, street_id')
  const words = new Map<string, Word>()
  const codes = new Set<string>()
  const counts = { streets: 0, houses: 0 }
  let begun: Promise<unknown> | undefined

  function wordOf(text: string): Word {
    const known = words.get(text)
    if (known) return known
    const word = { id: words.size + 1, streets: 0, places: new Set<number>() }
    words.set(text, word)
    return word
  }

  async function addStreet(street: Street) {
    begun ??= client.query('create temp table found_postings (word_id int, place_id int, street_id int)')
    await begun
    counts.streets += 1
    counts.houses += street.houses.length
    const { name, otherNames, placeId, areaId, alsoIn, postalCode, lat, lng, reachMetres, line, houses } = street
    const [id, count] = [counts.streets, houses.length]
    await streets.add(
      registerId,
      id,
      name,
      otherNames,
      placeId,
      areaId,
      alsoIn,
      postalCode,
      lat / 1e6,
      lng / 1e6,
      reachMetres,
      count,
      line.join(' '),
      packHouses(houses),
    )
    for (const code of street.postalCodes) codes.add(code)
    for (const text of wordsOfStreet(street)) {
      const word = wordOf(text)
      word.streets += 1
      for (const place of [placeId, ...alsoIn]) await postings.add(word.id, place, id)
    }
  }

  async function finish(places: readonly Place[]) {
    await begun
    await streets.flush()
    await postings.flush()
    const kept = into('register_places', 'id, name, other_names, kind, population, country, lat, lng, area_ids')
    for (const { id, name, otherNames, kind, population, country, lat, lng, areas } of places) {
      for (const one of [name, ...otherNames]) for (const text of readPlaceName(one)) wordOf(text).places.add(id)
      await kept.add(registerId, id, name, otherNames, kind, population, country, lat / 1e6, lng / 1e6, areas)
    }
    await kept.flush()

    const written = into('register_words', 'id, word, street_count, place_ids')
    const spellings = openWriter(client, 'found_spellings', 'form, word_id')
    await client.query('create temp table found_spellings (form int, word_id int)')
    for (const [text, { id, streets, places }] of words) {
      await written.add(registerId, id, text, streets, places.size > mostPlacesOfWord ? [] : [...places])
      for (const form of formsOf(text)) await spellings.add(form, id)
    }
    await written.flush()
    await spellings.flush()
    // In the order of their keys, which makes their index small and quick to write.
    await client.query(`
      insert into ${partitionOf('register_spellings', registerId)} (register_id, form, word_id)
      select distinct ${registerId}::bigint, form, word_id from found_spellings order by form, word_id`)
    if (begun)
      await client.query(`
        insert into ${partitionOf('register_postings', registerId)} (register_id, word_id, place_id, street_id)
        select distinct ${registerId}::bigint, word_id, place_id, street_id from found_postings order by word_id, place_id, street_id`)
    for (const table of [
      'register_places',
      'register_streets',
      'register_words',
      'register_spellings',
      'register_postings',
    ] as const)
      await client.query(`analyze ${partitionOf(table, registerId)}`)
    return { ...counts, places: places.length, postalCodes: codes.size }
  }

  return { addStreet, finish }
}

/** What a street is found by: the words of all its names, and its postcodes. */
function wordsOfStreet({ name, otherNames, postalCodes }: Street): Set<string> {
  const words = new Set<string>()
  for (const one of [name, ...otherNames]) {
    const read = readStreetName(one).words
    const telling = read.filter((word) => weightOf(word) >= 0.3)
    for (const word of telling.length > 0 ? telling : read) words.add(word)
  }
  for (const code of postalCodes) words.add(postalWord(code))
  return words
}
