import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Db } from './db.ts'
import { sql } from './sql.ts'

/*
 * How processes hear that there are new events, or that keys changed. A transaction that notified would hold a lock that all others wait for,
 * so it is done after the commit, for everything of the last moment at once. It is only a hint: whoever waits for events
 * also looks by itself from time to time.
 */

const channel = 'waybill_events'
const keysChannel = 'waybill_keys'
const collectMs = 10
/** So many organisations are named in a message; beyond that it speaks of all of them. */
const mostNamed = 100
const reconnectMs = 1_000
/** A connection that only listens does not notice by itself that nobody speaks any more. */
const checkEveryMs = 5_000

export interface Signal {
  /** This organisation has new events: for everyone in this process now, for the others in a moment. */
  announce(organisationId: number): void
  /** Calls back whenever there may be something new; undefined means "of whatever organisation". */
  listen(callback: (organisationId: number | undefined) => void): () => void
  /** Keys, or the organisations they open, have changed: the others hear of it in a moment. */
  announceKeys(): void
  listenForKeys(callback: () => void): void
  close(): Promise<void>
}

/** `url` must lead to the database itself: a pooler that shares connections does not pass notifications on. */
export function createSignal(db: Db, url: string): Signal {
  // Not the process id: in containers everybody is process 1.
  const self = randomUUID()
  const callbacks = new Set<(organisationId: number | undefined) => void>()
  const keyCallbacks = new Set<() => void>()
  const news = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  let listener: pg.Client | undefined
  let isClosing = false

  const tell = (organisationId: number | undefined) => {
    for (const callback of callbacks) callback(organisationId)
  }

  async function notify() {
    timer = undefined
    const ids = [...news]
    news.clear()
    await say(channel, `${self} ${ids.length > mostNamed ? '' : ids.join(',')}`)
  }

  async function say(on: string, message: string) {
    await db.run(sql`select pg_notify(${on}, ${message})`).catch(() => {
      // The database is away. Whoever listens looks by itself when it is back.
    })
  }

  function hear({ channel, payload = '' }: pg.Notification) {
    const [sender, ids = ''] = payload.split(' ')
    if (sender === self) return
    if (channel === keysChannel) for (const callback of keyCallbacks) callback()
    else if (ids === '') tell(undefined)
    else for (const id of ids.split(',')) tell(Number(id))
  }

  async function connect() {
    if (isClosing) return
    const client = new pg.Client({
      connectionString: url,
      application_name: 'waybill listen',
      connectionTimeoutMillis: checkEveryMs,
      query_timeout: checkEveryMs,
    })
    listener = client
    const check = setInterval(() => client.query('select 1').catch(() => client.end()), checkEveryMs).unref()
    client.on('notification', hear)
    client.on('error', () => {})
    client.on('end', () => {
      clearInterval(check)
      if (!isClosing) setTimeout(connect, reconnectMs).unref()
    })
    try {
      await client.connect()
      await client.query(`listen ${channel}; listen ${keysChannel}`)
      tell(undefined)
    } catch {
      // The database is away; whoever asks it something says so.
      clearInterval(check)
      client.end().catch(() => {})
    }
  }
  void connect()

  return {
    announce(organisationId) {
      tell(organisationId)
      news.add(organisationId)
      timer ??= setTimeout(notify, collectMs).unref()
    },
    listen(callback) {
      callbacks.add(callback)
      return () => callbacks.delete(callback)
    },
    announceKeys: () => void say(keysChannel, self),
    listenForKeys: (callback) => void keyCallbacks.add(callback),
    async close() {
      isClosing = true
      clearTimeout(timer)
      if (news.size > 0) await notify()
      await listener?.end().catch(() => {})
    },
  }
}
