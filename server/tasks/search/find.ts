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
const mostCandidates = 10_000

/** The tasks with a word that begins like this, or so many of them. */
const listCandidates = async (db: Db, organisationId: number, term: Term, most: number) =>
  (
    await db.many<{ task_id: number }>(sql`
      select distinct found.task_id
      from unnest(${[...term]}::text[], ${term.map(highOf)}::text[]) as wanted (low, high)
      cross join lateral (
        select task_id from task_words
        where organisation_id = ${organisationId} and word >= wanted.low and word < wanted.high
        limit ${most + 1}
      ) found`)
  ).map(({ task_id }) => task_id)

const inRanges = (term: Term): Sql =>
  term.map((low) => sql`word >= ${low} and word < ${highOf(low)}`).reduce((any, range) => sql`${any} or ${range}`)

/** For tasks `t`: they have a word of this term. `offset 0` keeps it a look at the words of one task. */
const hasWord = (organisationId: number, term: Term): Sql => sql`exists (
  select from task_words
  where organisation_id = ${organisationId} and task_id = t.id and (${inRanges(term)})
  offset 0)`

const hasWords = (organisationId: number, terms: readonly Term[]): Sql =>
  terms.reduce((all, term) => sql`${all} and ${hasWord(organisationId, term)}`, sql`true`)

/** The tasks that have them all, by comparing all that have any: takes a second with a million tasks. */
const hasWordsOfMany = (organisationId: number, terms: readonly Term[]): Sql =>
  sql`t.id = any(array(${terms
    .map(
      (term) => sql`select task_id from task_words where organisation_id = ${organisationId} and (${inRanges(term)})`,
    )
    .reduce((all, those) => sql`${all} intersect ${those}`)}))`

const looked = 1_000
const often = 20

/** Whether so many of the newest tasks have them that a page is soon found by looking at one after the other. */
const areOftenTogether = async (db: Db, organisationId: number, terms: readonly Term[]) =>
  (
    await db.get<{ count: number }>(sql`
      select count(*)::int as count from (
        select id from tasks
        where organisation_id = ${organisationId} and deleted_at is null
        order by id desc
        limit ${looked}
      ) t
      where ${hasWords(organisationId, terms)}`)
  ).count >= often

/** So many terms are tried; the others are shorter, and hardly any rarer. */
const mostTried = 3

const longestOf = (term: Term) => Math.max(...term.map(({ length }) => length))

/**
 * For tasks `t`: they are found by a search. Begins with the longest term, which few tasks have, and looks at those
 * alone; where each of the terms is one of many, tasks are looked at in order, if a page of them is soon found.
 */
export async function matching(
  db: Db,
  organisationId: number,
  terms: readonly Term[],
  isNarrow: boolean,
  most = mostCandidates,
): Promise<Sql> {
  if (terms.length === 0) return sql`false`
  if (isNarrow) return hasWords(organisationId, terms)
  const longestFirst = terms.toSorted((one, other) => longestOf(other) - longestOf(one))
  for (const term of longestFirst.slice(0, mostTried)) {
    const ids = await listCandidates(db, organisationId, term, most)
    const others = terms.filter((other) => other !== term)
    if (ids.length <= most) return sql`t.id = any(${ids}::bigint[]) and ${hasWords(organisationId, others)}`
  }
  const isSoonFound = terms.length === 1 || (await areOftenTogether(db, organisationId, terms))
  return (isSoonFound ? hasWords : hasWordsOfMany)(organisationId, terms)
}

/** For tasks `t`: they have exactly this word. An array is found first, whatever the planner thinks of the rest. */
export const hasExactly = (organisationId: number, word: string): Sql => sql`t.id = any(array(
  select task_id from task_words where organisation_id = ${organisationId} and word = ${word}))`
