import type pg from 'pg'
import type { EmbeddedDatabase } from '../server/db/embedded.ts'
import type { HttpWork, Request } from './load.ts'
import { onDatabase, printHeader, withClient, withServer } from './measure.ts'
import { type Load, type Running, startLoad, startWaybill } from './processes.ts'
import { createOne } from './requests.ts'

/* What most measurements of the API need: Waybill on its own durable PostgreSQL, and a load generator. */

export const key = 'a-key-for-measuring-only'

export interface Stage {
  api: Running
  load: Load
  /** Connected as superuser. */
  client: pg.Client
  /** As Waybill itself. */
  databaseUrl: string
  organisationId: number
  /** The process whose children are those of the database. */
  databasePid: number
  /** These requests as work for the load generator. */
  work(requests: Request[]): HttpWork
}

export const workOf =
  (...urls: string[]) =>
  (requests: Request[]): HttpWork => ({ urls, key, requests })

export async function withStage(
  title: string,
  rounds: number,
  work: (stage: Stage) => Promise<void>,
  settings?: Record<string, string>,
) {
  const measure = async (server: EmbeddedDatabase) => {
    printHeader(title, rounds)
    const load = startLoad()
    try {
      await withWaybill(server, 'waybill', load, work)
    } finally {
      await load.stop()
    }
  }
  await withServer(measure, settings)
}

/** A Waybill on one of the databases of a server. */
export async function withWaybill(
  { url, adminUrl }: EmbeddedDatabase,
  database: string,
  load: Load,
  work: (stage: Stage) => Promise<void>,
) {
  const databaseUrl = onDatabase(url, database)
  const api = await startWaybill('api', databaseUrl, key)
  try {
    await withClient(onDatabase(adminUrl, database), async (client) => {
      const { rows } = await client.query<{ id: string }>('select id from organisations')
      const databasePid = await findDatabase(client)
      const organisationId = Number(rows[0]!.id)
      await work({ api, load, client, databaseUrl, organisationId, databasePid, work: workOf(api.url) })
    })
  } finally {
    await api.stop()
  }
}

export async function findDatabase(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    `select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid`,
  )
  return rows[0]!.pid
}

/** Afterwards the customers exist, and there are rows to take as a sample. */
export const warmUp = ({ load, work }: Stage) => load.ask({ connections: 4, milliseconds: 1_500, of: work(createOne) })

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export async function call({ api }: Pick<Stage, 'api'>, method: string, path: string, body: string): Promise<any> {
  const headers = { authorization: key, 'content-type': 'application/json' }
  const answer = await fetch(`${api.url}/api/v1${path}`, { method, headers, body })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return JSON.parse(text)
}

/** Creates drivers of one team and returns their ids. */
export async function makeDrivers(stage: Pick<Stage, 'api'>, count: number): Promise<number[]> {
  const { team } = await call(stage, 'POST', '/teams', JSON.stringify({ name: 'Everybody' }))
  const ids: number[] = []
  for (let n = 0; n < count; n += 1) {
    const driver = { name: `Driver ${n}`, phone: `07120${10_000 + n}`, teams: [team.id] }
    ids.push((await call(stage, 'POST', '/drivers', JSON.stringify(driver))).user.id)
  }
  return ids
}

export interface Phone {
  driverId: number
  token: string
}

/** Creates drivers and signs each of them in. */
export async function makePhones(stage: Pick<Stage, 'api'>, count: number): Promise<Phone[]> {
  const made: Phone[] = []
  for (const driverId of await makeDrivers(stage, count)) {
    const { link } = await call(stage, 'POST', `/drivers/${driverId}/invite`, '')
    const { token } = await call(stage, 'POST', '/driver/login', JSON.stringify({ secret: link.split('#')[1] }))
    made.push({ driverId, token })
  }
  return made
}
