import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { connectTo } from './connect.ts'
import type { Db } from './db.ts'
import { sql } from './sql.ts'

/*
 * How processes learn of new events, changed keys, or small pieces of news. A
 * transaction that notified would hold a lock that all others wait for,
 * so it is done after the commit, for everything of the last moment together. It is only a hint: listeners
 * also poll from time to time.
 */

const channel = 'waybill_events'
const keysChannel = 'waybill_keys'
const hintsChannel = 'waybill_hints'
const collectMs = 10
const collectHintsMs = 100
/** PostgreSQL takes 8,000 bytes. */
const longestMessage = 7_500
/** A message names this many organisations; beyond that it means all of them. */
const mostNamed = 100
const reconnectMs = 1_000
/** A connection that only listens does not notice that the other side is gone. */
const checkEveryMs = 5_000

/** A word about something of an organisation. Of one thing only the last word counts. */
export interface Hint {
  organisationId: number
  kind: string
  about: string | number
  data?: unknown
}

export interface Signal {
  /** This organisation has new events: for everyone in this process now, for the others in a moment. */
  announce(organisationId: number): void
  /** Calls back whenever there may be something new; undefined means "of whatever organisation". */
  listen(callback: (organisationId: number | undefined) => void): () => void
  /** Keys, or the organisations they open, have changed: the others hear of it in a moment. */
  announceKeys(): void
  listenForKeys(callback: () => void): void
  /** For everyone in this process now, for the others in a moment, unless it gets lost. */
  hint(hint: Hint): void
  /** Calls back with every hint of the organisation; with undefined when some may have got lost. */
  listenForHints(organisationId: number, callback: (hint: Hint | undefined) => void): () => void
  close(): Promise<void>
}

/** After a failover nobody speaks any more on the old server, though it may still answer. */
async function requirePrimary(client: pg.Client) {
  const { rows } = await client.query("select current_setting('transaction_read_only') as is_read_only")
  if (rows[0]?.is_read_only === 'on') throw new Error('This server is not the primary any more')
}

/** `url` must lead to the database itself: a pooler that shares connections does not pass notifications on. */
export function createSignal(db: Db, url: string): Signal {
  // Not the process id: in containers every process is number 1.
  const self = randomUUID()
  const callbacks = new Set<(organisationId: number | undefined) => void>()
  const keyCallbacks = new Set<() => void>()
  const hintCallbacks = new Map<number, Set<(hint: Hint | undefined) => void>>()
  const news = new Set<number>()
  const hints = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let hintTimer: NodeJS.Timeout | undefined
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

  function pass(hint: Hint) {
    for (const callback of hintCallbacks.get(hint.organisationId) ?? []) callback(hint)
  }

  function passNothing() {
    for (const callbacks of hintCallbacks.values()) for (const callback of callbacks) callback(undefined)
  }

  async function notifyOfHints() {
    hintTimer = undefined
    const texts = [...hints.values()]
    hints.clear()
    let message = ''
    for (const text of texts) {
      if (message && Buffer.byteLength(message) + Buffer.byteLength(text) > longestMessage) {
        await say(hintsChannel, `${self} [${message}]`)
        message = ''
      }
      message += message ? `,${text}` : text
    }
    if (message) await say(hintsChannel, `${self} [${message}]`)
  }

  async function say(on: string, message: string) {
    await db.run(sql`select pg_notify(${on}, ${message})`).catch(() => {
      // The database is unreachable. Listeners poll when it is back.
    })
  }

  function hear({ channel, payload = '' }: pg.Notification) {
    const [sender, ids = ''] = payload.split(/ (.*)/s)
    if (sender === self) return
    if (channel === keysChannel) for (const callback of keyCallbacks) callback()
    else if (channel === hintsChannel) for (const hint of JSON.parse(ids) as Hint[]) pass(hint)
    else if (ids === '') tell(undefined)
    else for (const id of ids.split(',')) tell(Number(id))
  }

  async function connect() {
    const patience = { connectionTimeoutMillis: checkEveryMs, query_timeout: checkEveryMs }
    const client = await connectTo(url, { application_name: 'waybill listen', ...patience }).catch(() => undefined)
    // The database is away; whoever asks it something says so.
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
      await client.query(`listen ${channel}; listen ${keysChannel}; listen ${hintsChannel}`)
      tell(undefined)
      passNothing()
    } catch {
      client.end().catch(() => {})
    }
  }

  function connectLater() {
    if (!isClosing) setTimeout(connect, reconnectMs).unref()
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
    hint(hint) {
      pass(hint)
      hints.set(`${hint.organisationId} ${hint.kind} ${hint.about}`, JSON.stringify(hint))
      hintTimer ??= setTimeout(notifyOfHints, collectHintsMs).unref()
    },
    listenForHints(organisationId, callback) {
      const callbacks = hintCallbacks.getOrInsertComputed(organisationId, () => new Set())
      callbacks.add(callback)
      return () => {
        callbacks.delete(callback)
        if (callbacks.size === 0 && hintCallbacks.get(organisationId) === callbacks)
          hintCallbacks.delete(organisationId)
      }
    },
    async close() {
      isClosing = true
      clearTimeout(timer)
      clearTimeout(hintTimer)
      if (news.size > 0) await notify()
      await notifyOfHints()
      await listener?.end().catch(() => {})
    },
  }
}
