import type pg from 'pg'
import { connectTo } from './connect.ts'

/*
 * A failover, or a firewall that forgets, leaves connections half open: we ask, and nobody ever answers. The time-outs
 * that are long enough for a slow statement are far too long for that. So, as soon as an answer is late, the server is
 * asked by a new connection what it knows of the old ones. What we give up we also end over there: its transactions hold
 * locks, for which everybody else would wait until the server itself loses patience.
 */

export interface Watched {
  /** The process of the server that works for this connection. */
  pid?: number
  /** When the statement was sent whose answer has not come yet. */
  askedAt?: number | undefined
}

export interface SilenceOptions<Connection> {
  url: string
  /** The `application_name` of these connections, and of no others: after a failover a pid may be somebody else's. */
  name: string
  connections: ReadonlySet<Connection>
  /** Told which ones nobody will ever answer on; answers which ones it has given up because of that. */
  giveUp: (silent: Connection[]) => Connection[]
}

const lookEveryMs = 250
const lateMs = 600
/**
 * A process of the server that is there but idle has perhaps not had its turn to read the question: on a starved machine,
 * or one that swaps, that took over a second. One that is gone will never read it.
 */
const idleMs = 1_500
/** Slow statements are no reason to open a connection more often. */
const askEveryMs = 1_000
const patienceMs = 2_000
/** How slow everything is shows in how long our own question takes; silence is many times as long. */
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
    // A server that cannot be asked is asked again.
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
      // Others may be silent too and only not late yet: they are looked at without waiting.
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

/** What they had begun is rolled back, and their locks are free. A role may always end what it began itself. */
const endBackends = (client: pg.Client, name: string, pids: number[]) =>
  client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid = any($1) and application_name = $2 and usename = session_user`,
    [pids, name],
  )
