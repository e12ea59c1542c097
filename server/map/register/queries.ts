import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { type Row, table } from '../../db/table.ts'

export const registerPlaces = table('register_places', {
  register_id: 'bigint',
  id: 'integer',
  name: 'text',
  other_names: 'text[]',
  kind: 'text',
  population: 'integer',
  country: 'text?',
  lat: 'double precision',
  lng: 'double precision',
  area_ids: 'integer[]',
})

export const registerStreets = table('register_streets', {
  register_id: 'bigint',
  id: 'integer',
  name: 'text',
  other_names: 'text[]',
  place_id: 'integer',
  area_id: 'integer?',
  also_in: 'integer[]',
  postal_code: 'text?',
  lat: 'double precision',
  lng: 'double precision',
  reach_metres: 'integer',
  house_count: 'integer',
  line: 'text',
  houses: 'text',
})

export const registerWords = table('register_words', {
  register_id: 'bigint',
  id: 'integer',
  word: 'text',
  street_count: 'integer',
  place_ids: 'integer[]',
})

export const registerSpellings = table('register_spellings', {
  register_id: 'bigint',
  form: 'integer',
  word_id: 'integer',
})

export const registerPostings = table('register_postings', {
  register_id: 'bigint',
  word_id: 'integer',
  place_id: 'integer',
  street_id: 'integer',
})

export const registerOwnPlaces = table('register_own_places', {
  key: 'bytea',
  street: 'text?',
  number: 'text?',
  city: 'text?',
  area: 'text?',
  postal_code: 'text?',
  country: 'text?',
  lat: 'integer',
  lng: 'integer',
})

export const registerOwn = table('register_own', {
  is_only: 'boolean',
  register_id: 'bigint',
  places: 'bigint',
  imported_at: 'timestamptz',
})

/**
 * What is searched now, the most trusted first: the operator's own places, then those of the current import. None: nothing was
 * imported.
 */
export const listRegisters = async (db: Db): Promise<number[]> =>
  (
    await db.many<{ id: number }>(sql`
      select register_id as id from register_own
      union all
      select id from map_imports where state = 'current' and made ? 'register'`)
  ).map(({ id }) => id)

/** How many places of the operator there are; undefined if none were imported. */
export const findOwn = (db: Db) =>
  db.find<Pick<Row<typeof registerOwn>, 'places' | 'imported_at'>>(sql`select places, imported_at from register_own`)
