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
  /** When it was opened, and when it last answered. */
  openedAt?: number
  heardAt?: number
}

export interface SilenceOptions<Connection> {
  url: string
  /** The `application_name` of these connections, and of no others: after a failover a pid may belong to another client. */
  name: string
  connections: ReadonlySet<Connection>
  /** Called with the connections that will never get an answer; returns those it gave up. */
  giveUp: (silent: Connection[]) => Connection[]
}

const lookEveryMs = 100
const lateMs = 600
/**
 * A server process that exists but is idle may not have read the statement yet: on an overloaded or swapping machine
 * that took over a second. One that is gone will never read it.
 */
const idleMs = 1_500
/** Slow statements are no reason to open a connection more often. */
const askEveryMs = 1_000
/** Unless one is likely to be silent, and only has to wait a little longer to be sure. */
const askSoonMs = 200
const patienceMs = 2_000
/** The time of our own query shows how slow everything is; silence is many times as long. */
const timesAsLong = 5

export function watchForSilence<Connection extends Watched>(options: SilenceOptions<Connection>) {
  const { url, name, connections, giveUp } = options
  let isAsking = false
  let notBefore = 0

  async function look() {
    const late = [...connections].filter((one) => one.pid && one.askedAt && performance.now() - one.askedAt > lateMs)
    if (late.length === 0 || isAsking || performance.now() < notBefore) return
    isAsking = true
    notBefore = performance.now() + askEveryMs
    // If the server cannot be asked, we ask again.
    await findSilent(late).catch(() => {})
    isAsking = false
  }

  async function findSilent(late: Connection[]) {
    const questions = new Map(late.map((connection) => [connection, connection.askedAt]))
    const begun = performance.now()
    const patience = { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs }
    const client = await connectTo(url, { application_name: 'waybill silence', ...patience }, { onlyReads: true })
    try {
      const states = await listStates(client, name, pidsOf(late))
      const latest = begun - timesAsLong * (performance.now() - begun)
      const waiting = late.filter((one) => one.askedAt === questions.get(one) && one.askedAt! < latest)
      const stateOf = ({ pid }: Watched) => states.get(pid!) ?? 'gone'
      const isIdle = (one: Watched) => stateOf(one) === 'idle'
      const found = waiting.filter(
        (one) => stateOf(one) === 'gone' || (isIdle(one) && performance.now() - one.askedAt! > idleMs),
      )
      if (found.length === 0) {
        const soonest = Math.min(...waiting.filter(isIdle).map((one) => one.askedAt! + idleMs))
        notBefore = Math.min(notBefore, Math.max(soonest, performance.now() + askSoonMs))
        return
      }
      const silent = waiting.filter(
        (one) => found.includes(one) || (stateOf(one) !== 'working' && isSilentToo(one, found)),
      )
      // Others may be silent too, just not late yet: they are checked without waiting.
      notBefore = 0
      await endBackends(client, name, pidsOf(giveUp(silent)))
    } finally {
      client.end().catch(() => {})
    }
  }

  const timer = setInterval(look, lookEveryMs).unref()
  return { stop: () => clearInterval(timer) }
}

const pidsOf = (connections: Watched[]) => connections.flatMap(({ pid }) => pid ?? [])

/**
 * What silenced one connection silenced those that are as old, unless they have answered since. Each of them may wait for a
 * lock that another one holds, and would be found one after the other, as each gets the lock and keeps it.
 */
function isSilentToo({ openedAt = 0, heardAt = 0 }: Watched, found: Watched[]) {
  const firstAskedAt = Math.min(...found.map(({ askedAt }) => askedAt!))
  return openedAt < firstAskedAt && heardAt < firstAskedAt + lateMs
}

type State = 'idle' | 'waiting' | 'working'

/** What those of these processes do that still exist. One that just finished may have its answer on the way. */
async function listStates(client: pg.Client, name: string, pids: number[]): Promise<Map<number, State>> {
  const { rows } = await client.query<{ pid: number; state: State }>(
    `select pid, case
       when state like 'idle%' and state_change < now() - interval '500 ms' then 'idle'
       when wait_event_type = 'Lock' then 'waiting'
       else 'working' end as state
     from pg_stat_activity where pid = any($1) and application_name = $2`,
    [pids, name],
  )
  return new Map(rows.map(({ pid, state }) => [pid, state]))
}

/** Their transactions are rolled back and their locks freed. A role may always end its own connections. */
const endBackends = (client: pg.Client, name: string, pids: number[]) =>
  client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid = any($1) and application_name = $2 and usename = session_user`,
    [pids, name],
  )
