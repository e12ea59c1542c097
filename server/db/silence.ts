import type pg from 'pg'
import { connectTo } from './connect.ts'

/*
 * A failover, or a firewall that drops state, leaves connections half open: we ask and never get an answer. Timeouts
 * that allow for slow statements are far too long for that. So as soon as an answer is late, we open a new connection
 * and ask the server which of the old ones it knows. Those we give up we also end on the server: their transactions
 * hold locks, and everyone else would wait for them until the server itself gives up.
 */

export interface Watched {
  /** The server process behind this connection. */
  pid?: number
  /** When the pending statement was sent. */
  askedAt?: number | undefined
}

export interface SilenceOptions<Connection> {
  url: string
  /** The `application_name` of these connections, and of no others: after a failover a pid may belong to another client. */
  name: string
  connections: ReadonlySet<Connection>
  /** Called with the connections that will never get an answer; returns those it gave up. */
  giveUp: (silent: Connection[]) => Connection[]
}

const lookEveryMs = 250
const lateMs = 600
/**
 * A server process that exists but is idle may not have read the statement yet: on an overloaded or swapping machine
 * that took over a second. One that is gone will never read it.
 */
const idleMs = 1_500
/** Slow statements are no reason to open a connection more often. */
const askEveryMs = 1_000
const patienceMs = 2_000
/** The time of our own query shows how slow everything is; silence is many times as long. */
const timesAsLong = 5

export function watchForSilence<Connection extends Watched>(options: SilenceOptions<Connection>) {
  const { url, name, connections, giveUp } = options
  let isAsking = false
  let askedAt = 0

  async function look() {
    const late = [...connections].filter((one) => one.pid && one.askedAt && performance.now() - one.askedAt > lateMs)
    if (late.length === 0 || isAsking || performance.now() - askedAt < askEveryMs) return
    isAsking = true
    askedAt = performance.now()
    // If the server cannot be asked, we ask again.
    await findSilent(late).catch(() => {})
    isAsking = false
  }

  async function findSilent(late: Connection[]) {
    const questions = new Map(late.map((connection) => [connection, connection.askedAt]))
    const begun = performance.now()
    const patience = { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs }
    const client = await connectTo(url, { application_name: 'waybill silence', ...patience })
    try {
      const known = await listKnown(client, name, pidsOf(late))
      const latest = begun - timesAsLong * (performance.now() - begun)
      const isSilent = ({ pid, askedAt }: Watched) =>
        !known.has(pid!) || (known.get(pid!) === 'idle' && performance.now() - askedAt! > idleMs)
      const silent = late.filter((one) => one.askedAt === questions.get(one) && one.askedAt! < latest && isSilent(one))
      if (silent.length === 0) return
      // Others may be silent too, just not late yet: they are checked without waiting.
      askedAt = 0
      await endBackends(client, name, pidsOf(giveUp(silent)))
    } finally {
      client.end().catch(() => {})
    }
  }

  const timer = setInterval(look, lookEveryMs).unref()
  return { stop: () => clearInterval(timer) }
}

const pidsOf = (connections: Watched[]) => connections.flatMap(({ pid }) => pid ?? [])

/** Which of these processes still exist, and what they do. One that just finished may have its answer on the way. */
async function listKnown(client: pg.Client, name: string, pids: number[]): Promise<Map<number, 'idle' | 'working'>> {
  const { rows } = await client.query<{ pid: number; is_idle: boolean }>(
    `select pid, state like 'idle%' and state_change < now() - interval '500 ms' as is_idle
     from pg_stat_activity where pid = any($1) and application_name = $2`,
    [pids, name],
  )
  return new Map(rows.map(({ pid, is_idle }) => [pid, is_idle ? 'idle' : 'working']))
}

/** Their transactions are rolled back and their locks freed. A role may always end its own connections. */
const endBackends = (client: pg.Client, name: string, pids: number[]) =>
  client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid = any($1) and application_name = $2 and usename = session_user`,
    [pids, name],
  )
