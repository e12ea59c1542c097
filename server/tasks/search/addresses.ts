import { addressWord, fold, inFull, isFound, readSearch, wordsOf } from '../../../core/search.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { AddressRow } from '../tables.ts'
import { matching } from './find.ts'

/* The addresses of an organisation's own tasks, found by what somebody types. */

/** So many tasks are looked at: those with the words somewhere else than in their address are left out afterwards. */
const mostTasks = 100

/** How a kind of street is written says little, and is written in many ways. */
const kinds = new Set(Object.entries(inFull).flat())
const telling = (text: string) =>
  fold(text)
    .split(/[^\p{L}\p{N}\-_/+]+/u)
    .filter((word) => word && !kinds.has(word))
    .join(' ')

const wordsOfAddress = ({ address, city, area, street_name, street_number, postal_code }: AddressRow) =>
  wordsOf({ awb: '', phone: '', address, texts: [street_name, street_number, city, area, postal_code] })

/** Each address once, as the newest task has it, the newest first. */
export async function listOwnAddresses(
  db: Db,
  organisationId: number,
  text: string,
  limit: number,
): Promise<AddressRow[]> {
  const terms = readSearch(telling(text))
  if (terms.length === 0) return []
  const rows = await db.many<AddressRow>(sql`
    select a.* from tasks t
    cross join lateral (
      select * from addresses where organisation_id = ${organisationId} and task_id = t.id limit 1) a
    where t.organisation_id = ${organisationId} and t.deleted_at is null
      and ${await matching(db, organisationId, terms, false)}
    order by t.id desc
    limit ${mostTasks}`)
  const once = new Map<string, AddressRow>()
  for (const row of rows) {
    const word = addressWord([row.address, row.city].filter(Boolean).join(' '))
    if (word && !once.has(word) && isFound(wordsOfAddress(row), terms)) once.set(word, row)
  }
  return [...once.values()].slice(0, limit)
}
