import type { Term } from '../../../core/search.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'

/*
 * Searching behind row-level security. The comparisons below are leakproof, so PostgreSQL uses them with the index; a
 * pattern would be compared with every task of the organisation.
 */

/** After the last word that begins like this, in the order of bytes. */
const last = '\u{10ffff}'
const highOf = (beginning: string) => beginning + last

/** So many tasks are looked at one by one. A word that more of them have is only a condition on the others. */
export const mostCandidates = 10_000

/** The tasks with a word that begins like this, or so many of them. */
const listCandidates = async (db: Db, organisationId: number, term: Term) =>
  (
    await db.many<{ task_id: number }>(sql`
      select distinct found.task_id
      from unnest(${[...term]}::text[], ${term.map(highOf)}::text[]) as wanted (low, high)
      cross join lateral (
        select task_id from task_words
        where organisation_id = ${organisationId} and word >= wanted.low and word < wanted.high
        limit ${mostCandidates + 1}
      ) found`)
  ).map(({ task_id }) => task_id)

/** For tasks `t`: they have a word of this term. `offset 0` keeps it a look at the words of one task. */
const hasWord = (organisationId: number, term: Term): Sql => sql`exists (
  select from task_words w
  where w.organisation_id = ${organisationId} and w.task_id = t.id
    and exists (
      select from unnest(${[...term]}::text[], ${term.map(highOf)}::text[]) as wanted (low, high)
      where w.word >= wanted.low and w.word < wanted.high)
  offset 0)`

/** So many terms are tried; the others are shorter, and hardly any rarer. */
const mostTried = 3

const longestOf = (term: Term) => Math.max(...term.map(({ length }) => length))

/**
 * For tasks `t`: they are found by a search. Begins with the longest term, which few tasks have, and looks at those
 * alone; where each of the terms is one of many, tasks are looked at in order, and a page of them is soon found.
 */
export async function matching(
  db: Db,
  organisationId: number,
  terms: readonly Term[],
  isNarrow: boolean,
): Promise<Sql> {
  if (terms.length === 0) return sql`false`
  const probes = (some: readonly Term[]) =>
    some.reduce((all, term) => sql`${all} and ${hasWord(organisationId, term)}`, sql`true`)
  if (isNarrow) return probes(terms)
  const longestFirst = terms.toSorted((one, other) => longestOf(other) - longestOf(one))
  for (const term of longestFirst.slice(0, mostTried)) {
    const ids = await listCandidates(db, organisationId, term)
    if (ids.length <= mostCandidates)
      return sql`t.id = any(${ids}::bigint[]) and ${probes(terms.filter((other) => other !== term))}`
  }
  return probes(terms)
}

/** For tasks `t`: they have exactly this word. An array is found first, whatever the planner thinks of the rest. */
export const hasExactly = (organisationId: number, word: string): Sql => sql`t.id = any(array(
  select task_id from task_words where organisation_id = ${organisationId} and word = ${word}))`
