import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { connectTo } from './connect.ts'

/*
 * What is set on a connection must stay with it: the organisation behind row-level security, prepared statements, locks.
 * A pooler in transaction mode gives every transaction another connection. It works at first and fails later, so it is
 * recognised at the start by what it does: something set on a connection is gone, or is seen on another one.
 */

/** Throws if the url leads to such a pooler. The client must have been connected by it. */
export async function requireSession(client: pg.Client, url: string) {
  const second = await connectTo(url, { application_name: 'waybill migrate' })
  try {
    if (await isShared(client, second))
      throw new Error(
        'DATABASE_URL points to a pooler in transaction mode, such as PgBouncer with pool_mode = transaction: set ' +
          'pool_mode = session for this database, or point to PostgreSQL itself (docs/scaling.md)',
      )
  } finally {
    await second.end()
  }
}

/** A pooler may give us what was used last, or least recently, or first forget what was set: each of them fails here. */
async function isShared(client: pg.Client, second: pg.Client): Promise<boolean> {
  const secret = randomUUID()
  const isKnown = async (to: pg.Client) => {
    const { rows } = await to.query("select current_setting('waybill.session', true) as told")
    return rows[0]?.told === secret
  }
  await client.query("select set_config('waybill.session', $1, false)", [secret])
  if (!(await isKnown(client))) return true
  // Until it ends, nobody else gets the connection of this transaction.
  if (!(await begins(second)) || (await isKnown(second)) || !(await isKnown(client))) return true
  await second.query('commit')
  return !(await isKnown(client)) || !(await isKnown(client))
}

/** In statement mode there are no transactions at all. */
const begins = (client: pg.Client) =>
  client.query('begin').then(
    () => true,
    (error: Error) => {
      if (/pooling mode/.test(error.message)) return false
      throw error
    },
  )
