import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { startEmbedded } from '../db/embedded.ts'
import { type Sql, sql } from '../db/sql.ts'
import { prepareFolder } from './cluster.ts'
import type { Received } from './receiver.ts'
import { roomyFlags } from './roomy.ts'
import { patienceMs } from './until.ts'

/*
 * Tools for killing things on purpose and checking afterwards that nothing is missing: a PostgreSQL that may be killed,
 * a connection gate that may go silent, real processes, and the ledgers that must agree in the end.
 */

const root = resolve(import.meta.dirname, '../..')

/** Processes to end with the test process, however it ends. */
const pids = new Set<number>()
function killAll() {
  for (const pid of pids) killNow(pid)
}
process.on('exit', killAll)
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    killAll()
    process.exit(1)
  })

function killNow(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

/** A separate, durable PostgreSQL. */
export async function startDurable() {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-crash-'))
  await prepareFolder(folder)
  const settings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', max_connections: '100' }
  const start = () => startEmbedded({ folder, log: () => {}, settings })
  let running = await start()
  let pid = await readPid()
  pids.add(pid)

  async function readPid() {
    return Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  }

  return {
    /** The socket it listens on now; it changes with every start. */
    get socket() {
      return join(new URL(running.url).searchParams.get('host') as string, '.s.PGSQL.5432')
    },
    /** Asks as superuser on a new connection, which no earlier failure can have broken. */
    async ask<Row extends object>(query: Sql): Promise<Row[]> {
      const url = new URL(running.adminUrl)
      url.pathname = '/waybill'
      const client = new pg.Client({ connectionString: url.href, application_name: 'crash suite' })
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query(query.text, query.values as unknown[])).rows
      } finally {
        await client.end()
      }
    },
    kill() {
      killNow(pid)
    },
    async startAgain() {
      await running.stop()
      pids.delete(pid)
      running = await start()
      pid = await readPid()
      pids.add(pid)
    },
    async stop() {
      await running.stop()
      pids.delete(pid)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Durable = Awaited<ReturnType<typeof startDurable>>

/** The connection gate between one process and the database; it follows the database to its current socket. */
export async function startGate(server: Durable) {
  interface Pair {
    near: Socket
    far: Socket
    isSilent: boolean
  }
  const pairs = new Set<Pair>()
  const entry = createServer((near) => {
    const far = connect(server.socket)
    const pair = { near, far, isSilent: false }
    pairs.add(pair)
    near.on('data', (chunk) => pair.isSilent || far.write(chunk))
    far.on('data', (chunk) => pair.isSilent || near.write(chunk))
    near.on('error', () => {})
    far.on('error', () => {})
    near.on('close', () => {
      if (pair.isSilent) return
      pairs.delete(pair)
      far.destroy()
    })
    far.on('close', () => pair.isSilent || near.destroy())
  })
  await once(entry.listen(0, '127.0.0.1'), 'listening')
  const { port } = entry.address() as AddressInfo

  return {
    url: `postgres://waybill@127.0.0.1:${port}/waybill?sslmode=disable`,
    /**
     * Half-open: nothing passes any more, and neither side hears of it. That is what a firewall that forgets leaves behind:
     * the database keeps what these connections have locked. New connections work.
     */
    goSilent() {
      for (const pair of pairs) pair.isSilent = true
      return pairs.size
    },
    async close() {
      const closed = once(entry.close(), 'close')
      for (const { near, far } of pairs) {
        near.destroy()
        far.destroy()
      }
      await closed
    },
  }
}

/** A real server process, used through its url and ended by SIGKILL. */
export async function startProcess(databaseUrl: string, environment: Record<string, string>, flags = roomyFlags) {
  const begun = performance.now()
  const child = spawn(process.execPath, [...flags, 'cli/waybill.ts', 'serve'], {
    cwd: root,
    env: { ...process.env, PORT: '0', WAYBILL_LOG: 'warn', DATABASE_URL: databaseUrl, ...environment },
    // The process notices by this channel that we are gone.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  pids.add(child.pid!)
  let said = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => {
      said = (said + chunk).slice(-20_000)
    })
  const exited = once(child, 'exit').then(() => pids.delete(child.pid!))
  const isRunning = () => child.exitCode === null && child.signalCode === null

  const findUrl = () => /ready at (http\S+)/.exec(said)?.[1]
  const deadline = Date.now() + patienceMs
  while (isRunning() && !findUrl() && Date.now() < deadline) await sleep(10)
  const url = findUrl()
  if (!url) {
    killNow(child.pid!)
    throw new Error(`The process did not become ready. It said:\n${said}`)
  }
  return {
    url,
    pid: child.pid!,
    readyMs: performance.now() - begun,
    isRunning,
    said: () => said,
    async kill() {
      if (isRunning()) killNow(child.pid!)
      await exited
    },
    /** Stops it as an operator would. Returns the exit code. */
    async stop(): Promise<number | null> {
      child.kill('SIGTERM')
      await exited
      return child.exitCode
    },
  }
}

export type Process = Awaited<ReturnType<typeof startProcess>>

/** A webhook as its creator remembers it. */
export interface Subscription {
  id: number
  path: string
  trigger: number
  /** The last event before it was created. */
  bornAfter: number
}

/** The outcome of every event for every webhook that listens to it. None may be `lost`. */
export const accountFor = (organisationId: number, subscriptions: readonly Subscription[]): Sql => sql`
  select state, count(*)::int as count, (array_agg(format('event %s for webhook %s', event_id, webhook_id)))[1:5] as some
  from (
    select e.id as event_id, k.webhook_id, case
      when exists (
        select from deliveries d
        where d.organisation_id = e.organisation_id and d.webhook_id = k.webhook_id and d.event_id = e.id
      ) then 'scheduled'
      when exists (
        select from dead_deliveries d
        where d.organisation_id = e.organisation_id and d.webhook_id = k.webhook_id and d.event_id = e.id
          and d.reason <> ''
      ) then 'dead'
      when exists (
        select from attempts a
        where a.organisation_id = e.organisation_id and a.webhook_id = k.webhook_id and a.event_id = e.id
          and a.outcome = 'delivered'
      ) then 'delivered'
      when not exists (
        select from webhooks w where w.organisation_id = e.organisation_id and w.id = k.webhook_id
      ) then 'webhook deleted'
      else 'lost' end as state
    from unnest(
      ${subscriptions.map(({ id }) => id)}::bigint[],
      ${subscriptions.map(({ trigger }) => trigger)}::smallint[],
      ${subscriptions.map(({ bornAfter }) => bornAfter)}::bigint[]
    ) k (webhook_id, trigger_id, born_after)
    join events e on e.trigger_id = k.trigger_id and e.id > k.born_after
    where e.organisation_id = ${organisationId}
  ) account
  group by state`

export interface Account {
  state: 'scheduled' | 'dead' | 'delivered' | 'webhook deleted' | 'lost'
  count: number
  some: string[]
}

export function countsOf(accounts: Account[]): Record<Account['state'], number> {
  const lost = accounts.find(({ state }) => state === 'lost')
  assert.equal(lost, undefined, `Nobody can say what became of ${lost?.count}: ${lost?.some}`)
  const none = { scheduled: 0, dead: 0, delivered: 0, 'webhook deleted': 0, lost: 0 }
  return { ...none, ...Object.fromEntries(accounts.map(({ state, count }) => [state, count])) }
}

/** Finds violations of what must always be true in an organisation's tables. */
export const findDamage = (organisationId: number): Sql => sql`
  with own as (
    select e.task_id, count(*) as count, min(e.sequence) as first, max(e.sequence) as last, max(e.id) as last_id
    from events e where e.organisation_id = ${organisationId} group by e.task_id
  )
  select 'a task whose events are not 1 to its last' as damage, t.awb as what
  from tasks t left join own o on o.task_id = t.id
  where t.organisation_id = ${organisationId}
    and (o.count is null or o.first <> 1 or o.last <> t.last_sequence or o.count <> t.last_sequence)
  union all
  select 'a task that is not what its last event says', t.awb
  from tasks t
  join own o on o.task_id = t.id
  join events e on e.organisation_id = t.organisation_id and e.id = o.last_id
  join events s on s.organisation_id = e.organisation_id and s.id = e.snapshot_id
  where t.organisation_id = ${organisationId} and t.deleted_at is null
    and ((s.task::json ->> 'statusId')::int, s.task::json ->> 'details', (s.task::json ->> 'userId')::bigint)
      is distinct from (t.status_id::int, t.details, t.user_id)
  union all
  select 'a task without its address', t.awb
  from tasks t left join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
  where t.organisation_id = ${organisationId} and a.id is null
  union all
  select 'numbers of events with gaps', format('counter %s, events %s, last %s', c.last_event_id, count(e.id), max(e.id))
  from event_counters c left join events e on e.organisation_id = c.organisation_id
  where c.organisation_id = ${organisationId}
  group by c.last_event_id
  having c.last_event_id <> count(e.id) or c.last_event_id <> coalesce(max(e.id), 0)
  union all
  select 'an event of a change that is not whole', format('event %s', e.id)
  from events e left join events s on s.organisation_id = e.organisation_id and s.id = e.snapshot_id
  where e.organisation_id = ${organisationId} and s.task is null
  union all
  select 'an attempt written twice', format('event %s for webhook %s, number %s', event_id, webhook_id, number)
  from attempts where organisation_id = ${organisationId}
  group by event_id, webhook_id, number, attempted_at having count(*) > 1`

/** Deliveries recorded as delivered more than once without a replay. */
export const findDoubles = (organisationId: number): Sql => sql`
  select event_id, webhook_id, count(*)::int as count, array_agg(number) as numbers from attempts
  where organisation_id = ${organisationId} and outcome = 'delivered'
  group by event_id, webhook_id having count(*) > 1`

export interface Arrival {
  messageId: string
  path: string
  eventId: number
  webhookId: number
  taskId: number
  sequence: number
  rawBody: string
  times: number
  /** How many of them were answered with 200. */
  accepted: number
}

/** What a receiver got, in order of first arrival. Every message is verified by two third-party packages. */
export function openArrivals(secretsOf: (path: string) => readonly string[]) {
  const arrivals = new Map<string, Arrival>()
  const acceptedInOrder: Arrival[] = []

  const isSigned = (secret: string, { rawBody, headers }: Received) => {
    const given = headers as Record<string, string>
    try {
      new SvixWebhook(secret).verify(rawBody, given)
      return Boolean(new Webhook(secret).verify(rawBody, given))
    } catch {
      return false
    }
  }

  return {
    all: () => [...arrivals.values()],
    acceptedInOrder,
    accepts(messageId: string) {
      const arrival = arrivals.get(messageId) as Arrival
      arrival.accepted += 1
      if (arrival.accepted === 1) acceptedInOrder.push(arrival)
    },
    /** Returns the id of a message, or throws if it is invalid. */
    add(request: Received): string {
      const { url: path, headers, rawBody } = request
      const messageId = String(headers['webhook-id'])
      const secrets = secretsOf(path)
      assert.ok(
        secrets.some((secret) => isSigned(secret, request)),
        `${messageId} is not signed for ${path}`,
      )
      const { eventId, companyId, taskId, sequence } = JSON.parse(rawBody)
      const [organisation, event, webhookId = 0] = messageId.split('_').slice(1).map(Number)
      assert.deepEqual([organisation, event], [companyId, eventId], 'the id names the event that the body tells')
      const before = arrivals.get(messageId)
      if (before) {
        assert.deepEqual([path, rawBody], [before.path, before.rawBody], `a repetition of ${messageId} says the same`)
        before.times += 1
      } else {
        arrivals.set(messageId, {
          messageId,
          path,
          eventId,
          webhookId,
          taskId,
          sequence,
          rawBody,
          times: 1,
          accepted: 0,
        })
      }
      return messageId
    },
  }
}

/** First arrivals that came after a later one of the same task at the same url. */
export function findInversions(inOrder: readonly Arrival[]): string[] {
  const latest = new Map<string, Arrival>()
  const inversions: string[] = []
  for (const arrival of inOrder) {
    const line = `${arrival.path} ${arrival.taskId}`
    const before = latest.get(line)
    if (before && before.sequence > arrival.sequence)
      inversions.push(`${arrival.messageId} (sequence ${arrival.sequence}) after ${before.sequence} at ${line}`)
    else latest.set(line, arrival)
  }
  return inversions
}

/** Makes every waiting retry due now, and wakes the senders. */
export const hurry = sql`
  with hurried as (
    update deliveries set due_at = now() where claim is null and due_at > now() returning 1
  )
  select pg_notify('waybill_events', '0 ') from (select count(*) from hurried) waits`
