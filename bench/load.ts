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
}

export interface SqlWork {
  databaseUrl: string
  organisationId: number
  /** One of these is chosen at random each time; its statements run one after the other, named and prepared. */
  reads: Statement[][]
}

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

async function openSql({ databaseUrl, organisationId, reads }: SqlWork, connections: number): Promise<Work> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const options = `-c waybill.organisation=${organisationId}`
      const client = new pg.Client({ connectionString: databaseUrl, options })
      await client.connect()
      return client
    }),
  )
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

process.on('message', async (job: Job) => process.send?.(await ask(job)))
process.on('disconnect', () => process.exit())
