import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { connectTo } from './connect.ts'
import type { Db } from './db.ts'
import { sql } from './sql.ts'

/*
 * How processes tell each other that something happened, by topic. NOTIFY inside a transaction holds a lock that
 * all others wait for, so it is sent after the commit, batched over a short time. It is only a hint:
 * listeners also poll from time to time.
 */

export interface Topic {
  channel: string
  /** What happens within this time is sent together. */
  collectMs: number
}

/** A message about one thing of an organisation. Only the last message about a thing counts. */
export interface Hint {
  organisationId: number
  kind: string
  about: string | number
  data?: unknown
}

export interface Notices {
  /** Something is new in this organisation, or in any: this process hears it now, the others in a moment. */
  ring(topic: Topic, organisationId?: number): void
  /** Calls back whenever something may be new; undefined means "in any organisation". */
  onRing(topic: Topic, callback: (organisationId: number | undefined) => void): () => void
  /** Calls every listener in this process now, and in the others in a moment, unless the message gets lost. */
  tell(topic: Topic, hint: Hint): void
  /** Calls back with every hint of the organisation, and with undefined if some may have been lost. */
  onTold(topic: Topic, organisationId: number, callback: (hint: Hint | undefined) => void): () => void
  close(): Promise<void>
}

/** PostgreSQL allows 8,000 bytes. */
const longestMessage = 7_500
/** A message names this many organisations; beyond that it means all of them. */
const mostNamed = 100
const reconnectMs = 1_000
/** A connection that only listens does not notice that the other side is gone. */
const checkEveryMs = 5_000

/** After a failover the old server may still answer, but nobody notifies there. */
async function requirePrimary(client: pg.Client) {
  const { rows } = await client.query("select current_setting('transaction_read_only') as is_read_only")
  if (rows[0]?.is_read_only === 'on') throw new Error('This server is no longer the primary')
}

/** `url` must lead to the database itself: a pooler that shares connections does not pass notifications on. */
export function openNotices(db: Db, url: string, topics: readonly Topic[]): Notices {
  // Not the process id: in containers every process is number 1.
  const self = randomUUID()
  const lines = new Map(topics.map((topic) => [topic.channel, openLine(topic, say)]))
  const lineOf = ({ channel }: Topic) => lines.get(channel) as Line
  let listener: pg.Client | undefined
  let isClosing = false

  async function say(channel: string, message: string) {
    await db.run(sql`select pg_notify(${channel}, ${`${self} ${message}`})`).catch(() => {
      // The database is unreachable. Listeners poll when it is back.
    })
  }

  function hear({ channel, payload = '' }: pg.Notification) {
    const [sender, message = ''] = payload.split(/ (.*)/s)
    if (sender !== self) lines.get(channel)?.hear(message)
  }

  async function connect() {
    const patience = { connectionTimeoutMillis: checkEveryMs, query_timeout: checkEveryMs }
    const client = await connectTo(url, { application_name: 'waybill listen', ...patience }).catch(() => undefined)
    // The database is unreachable; queries report that.
    if (!client) return connectLater()
    listener = client
    if (isClosing) return client.end()
    const check = setInterval(() => requirePrimary(client).catch(() => client.end()), checkEveryMs).unref()
    client.on('notification', hear)
    client.on('end', () => {
      clearInterval(check)
      connectLater()
    })
    try {
      await client.query(topics.map(({ channel }) => `listen ${channel}`).join('; '))
      for (const line of lines.values()) line.missed()
    } catch {
      client.end().catch(() => {})
    }
  }

  function connectLater() {
    if (!isClosing) setTimeout(connect, reconnectMs).unref()
  }

  void connect()

  return {
    ring: (topic, organisationId) => lineOf(topic).ring(organisationId),
    onRing: (topic, callback) => lineOf(topic).onRing(callback),
    tell: (topic, hint) => lineOf(topic).tell(hint),
    onTold: (topic, organisationId, callback) => lineOf(topic).onTold(organisationId, callback),
    async close() {
      isClosing = true
      for (const line of lines.values()) await line.flush()
      await listener?.end().catch(() => {})
    },
  }
}

/** The same from a program that listens to nothing: something is new for everybody. */
export const ringEverybody = (db: Db, { channel }: Topic) =>
  db.run(sql`select pg_notify(${channel}, ${`${randomUUID()} `})`)

type Line = ReturnType<typeof openLine>

/** One topic: who listens to it here, and what is still to be sent to the others. */
function openLine({ channel, collectMs }: Topic, say: (channel: string, message: string) => Promise<void>) {
  const ringCallbacks = new Set<(organisationId: number | undefined) => void>()
  const hintCallbacks = new Map<number, Set<(hint: Hint | undefined) => void>>()
  const rung = new Set<number | undefined>()
  const hints = new Map<string, Hint>()
  let timer: NodeJS.Timeout | undefined

  const callRing = (organisationId: number | undefined) => {
    for (const callback of ringCallbacks) callback(organisationId)
  }
  const pass = (hint: Hint) => {
    for (const callback of hintCallbacks.get(hint.organisationId) ?? []) callback(hint)
  }

  async function flush() {
    clearTimeout(timer)
    timer = undefined
    const ids = [...rung]
    rung.clear()
    const texts = [...hints.values()].map((hint) => JSON.stringify(hint))
    hints.clear()
    if (ids.length > 0) await say(channel, ids.length > mostNamed || ids.includes(undefined) ? '' : ids.join(','))
    for (const message of packed(texts)) await say(channel, `[${message}]`)
  }
  const flushSoon = () => {
    timer ??= setTimeout(flush, collectMs).unref()
  }

  return {
    flush,
    /** We may have missed something while we were not listening. */
    missed() {
      callRing(undefined)
      for (const callbacks of hintCallbacks.values()) for (const callback of callbacks) callback(undefined)
    },
    hear(message: string) {
      if (message.startsWith('[')) for (const hint of JSON.parse(message) as Hint[]) pass(hint)
      else if (message === '') callRing(undefined)
      else for (const id of message.split(',')) callRing(Number(id))
    },
    ring(organisationId: number | undefined) {
      callRing(organisationId)
      rung.add(organisationId)
      flushSoon()
    },
    onRing(callback: (organisationId: number | undefined) => void) {
      ringCallbacks.add(callback)
      return () => void ringCallbacks.delete(callback)
    },
    tell(hint: Hint) {
      pass(hint)
      hints.set(`${hint.organisationId} ${hint.kind} ${hint.about}`, hint)
      flushSoon()
    },
    onTold(organisationId: number, callback: (hint: Hint | undefined) => void) {
      const callbacks = hintCallbacks.getOrInsertComputed(organisationId, () => new Set())
      callbacks.add(callback)
      return () => {
        callbacks.delete(callback)
        if (callbacks.size === 0 && hintCallbacks.get(organisationId) === callbacks)
          hintCallbacks.delete(organisationId)
      }
    },
  }
}

/** Joins texts with commas into messages of at most the allowed length. */
function* packed(texts: readonly string[]): Generator<string> {
  let message = ''
  for (const text of texts) {
    if (message && Buffer.byteLength(message) + Buffer.byteLength(text) > longestMessage) {
      yield message
      message = ''
    }
    message += message ? `,${text}` : text
  }
  if (message) yield message
}
