import { once } from 'node:events'
import { connect } from 'node:net'
import pg from 'pg'
import { type HttpConnection, openConnection, requestText } from './http-client.ts'
import { quantile, timeAll } from './measure.ts'

/*
 * The load generator, in its own process: sends the same kinds of requests to the API, or statements to PostgreSQL,
 * from many connections, each of which sends the next one as soon as the last is answered.
 */

export interface Job {
  connections: number
  milliseconds: number
  of: HttpWork | SqlWork | StreamWork
}

export interface HttpWork {
  /** Connections are distributed over these. */
  urls: string[]
  key: string
  /** One of them is chosen at random each time. `{next}` becomes a number that no other request has. */
  requests: Request[]
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: string
  /** Instead of the one of the whole work. */
  key?: string
}

export interface SqlWork {
  databaseUrl: string
  organisationId: number
  /** One of these is chosen at random each time; its statements run one after the other, named and prepared. */
  reads: Statement[][]
}

/** A list per connection, each done from its beginning to its end. */
export type Lists =
  | { url: string; lists: { key: string; requests: Request[] }[] }
  | { databaseUrl: string; organisationId: number; lists: Statement[][] }

/** Opens the live stream, waits for its first bytes, and disconnects. */
export interface StreamWork {
  streams: string
  key: string
}

export interface Statement {
  text: string
  values: readonly unknown[]
}

export interface Outcome {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** The number of responses by status; none for SQL. */
  statuses: Record<number, number>
  /** Of the refusals, if there were any. */
  refusalP99Ms: number | null
}

let made = 0

async function ask({ connections, milliseconds, of }: Job): Promise<Outcome> {
  const statuses: Record<number, number> = {}
  const refusalsMs: number[] = []
  const { work, close } = await openWork(of, connections)
  const { perSecond, tookMs } = await timeAll(connections, milliseconds, async (place) => {
    const start = performance.now()
    const status = await work(place)
    if (status === undefined) return
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status !== 200) refusalsMs.push(performance.now() - start)
  })
  await close()
  const refusalP99Ms = refusalsMs.length > 0 ? quantile(refusalsMs, 0.99) : null
  return { perSecond, p50Ms: quantile(tookMs, 0.5), p99Ms: quantile(tookMs, 0.99), statuses, refusalP99Ms }
}

function openWork(of: Job['of'], connections: number): Promise<Work> | Work {
  if ('urls' in of) return openHttp(of, connections)
  if ('streams' in of) return { work: () => visitStream(of), close: async () => {} }
  return openSql(of, connections)
}

interface Work {
  work(place: number): Promise<number | undefined>
  close(): Promise<void>
}

async function visitStream({ streams, key }: StreamWork): Promise<number> {
  const { hostname, port } = new URL(streams)
  const socket = connect(Number(port), hostname)
  socket.write(requestText('GET', '/api/v1/events/stream', key))
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return Number(chunk.toString('latin1', 9, 12))
}

const anyOf = <Item>(items: Item[]) => items[Math.floor(Math.random() * items.length)]!

async function openHttp({ urls, key, requests }: HttpWork, connections: number): Promise<Work> {
  const opened: HttpConnection[] = []
  for (let n = 0; n < connections; n += 1) opened.push(await openConnection(urls[n % urls.length]!))
  return {
    async work(place: number) {
      const { method, path, body } = anyOf(requests)
      const next = `${process.pid}-${++made}`
      const { status } = await opened[place]!.ask(requestText(method, path, key, body?.replaceAll('{next}', next)))
      return status
    },
    async close() {
      for (const connection of opened) connection.close()
    },
  }
}

const openClients = (
  { databaseUrl, organisationId }: { databaseUrl: string; organisationId: number },
  connections: number,
) =>
  Promise.all(
    Array.from({ length: connections }, async () => {
      const options = `-c waybill.organisation=${organisationId}`
      const client = new pg.Client({ connectionString: databaseUrl, options })
      await client.connect()
      return client
    }),
  )

async function openSql({ reads, ...reach }: SqlWork, connections: number): Promise<Work> {
  const clients = await openClients(reach, connections)
  return {
    async work(place: number) {
      for (const { text, values } of anyOf(reads))
        await clients[place]!.query({ name: nameOf(text), text, values: [...values] })
      return undefined
    },
    async close() {
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}

const names = new Map<string, string>()
function nameOf(text: string): string {
  const name = names.get(text) ?? `s${names.size + 1}`
  names.set(text, name)
  return name
}

/** How many items of the lists were done in a second. The slowest connection counts. */
async function work(of: Lists): Promise<Pick<Outcome, 'perSecond' | 'statuses'>> {
  const statuses: Record<number, number> = {}
  const { step, close } = await openLists(of)
  const begun = performance.now()
  await Promise.all(
    of.lists.map(async (list, place) => {
      const { length } = Array.isArray(list) ? list : list.requests
      for (let item = 0; item < length; item += 1) {
        const status = await step(place, item)
        if (status !== undefined) statuses[status] = (statuses[status] ?? 0) + 1
      }
    }),
  )
  const seconds = (performance.now() - begun) / 1_000
  await close()
  const items = of.lists.reduce((sum, list) => sum + (Array.isArray(list) ? list : list.requests).length, 0)
  return { perSecond: items / seconds, statuses }
}

async function openLists(of: Lists) {
  if ('url' in of) {
    const opened = await Promise.all(of.lists.map(() => openConnection(of.url)))
    return {
      async step(place: number, item: number): Promise<number | undefined> {
        const { key: shared, requests } = of.lists[place]!
        const { method, path, body, key = shared } = requests[item]!
        return (await opened[place]!.ask(requestText(method, path, key, body))).status
      },
      async close() {
        for (const connection of opened) connection.close()
      },
    }
  }
  const clients = await openClients(of, of.lists.length)
  return {
    async step(place: number, item: number): Promise<number | undefined> {
      const { text, values } = of.lists[place]![item]!
      await clients[place]!.query({ name: nameOf(text), text, values: [...values] })
      return undefined
    },
    close: async () => void (await Promise.all(clients.map((client) => client.end()))),
  }
}

process.on('message', async (job: Job | { lists: Lists }) =>
  process.send?.(await ('lists' in job ? work(job.lists) : ask(job))),
)
process.on('disconnect', () => process.exit())
