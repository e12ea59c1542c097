import pg from 'pg'

/*
 * A failover, or a firewall that forgets, leaves connections half open: we ask, and nobody ever answers. The time-outs
 * that are long enough for a slow statement are far too long for that. So, as soon as an answer is late, the server is
 * asked by a new connection what it knows of the old ones.
 */

export interface Watched {
  /** The process of the server that works for this connection. */
  pid?: number
  /** When the statement was sent whose answer has not come yet. */
  askedAt?: number | undefined
}

const lookEveryMs = 250
const lateMs = 600
/** Slow statements are no reason to open a connection more often. */
const askEveryMs = 1_000
const patienceMs = 2_000

/** Calls back with the connections that nobody will ever answer on. */
export function watchForSilence<Connection extends Watched>(
  url: string,
  connections: ReadonlySet<Connection>,
  found: (silent: Connection[]) => void,
) {
  let isAsking = false
  let askedAt = 0

  async function look() {
    const late = [...connections].filter((one) => one.pid && one.askedAt && performance.now() - one.askedAt > lateMs)
    if (late.length === 0 || isAsking || performance.now() - askedAt < askEveryMs) return
    isAsking = true
    askedAt = performance.now()
    const questions = new Map(late.map((connection) => [connection, connection.askedAt]))
    const working = await listWorking(
      url,
      late.map(({ pid }) => pid as number),
    ).catch(() => undefined)
    isAsking = false
    const silent = late.filter((one) => one.askedAt === questions.get(one) && !working?.has(one.pid as number))
    if (working && silent.length > 0) found(silent)
  }

  const timer = setInterval(look, lookEveryMs).unref()
  return { stop: () => clearInterval(timer) }
}

/** Which of these processes still exist and have something to do. One that just finished may have its answer on the way. */
async function listWorking(url: string, pids: number[]): Promise<Set<number>> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'waybill silence',
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where pid = any($1) and (state not like 'idle%' or state_change > now() - interval '500 ms')`,
      [pids],
    )
    return new Set(rows.map(({ pid }) => pid))
  } finally {
    await client.end().catch(() => {})
  }
}
