import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { type Dispatcher, getGlobalDispatcher, request as send } from 'undici'
import { triggerName } from '../../core/triggers.ts'
import { type Config, readConfig } from '../config.ts'
import { type Database, openDatabase } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import { createLog } from '../log.ts'
import { startServer as start } from '../main.ts'
import { createKey } from '../organisations/actions.ts'
import { insertAdmin, insertOrganisation } from '../organisations/queries.ts'
import { assertConforms } from './conform.ts'
import { makeDatabase } from './database.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape; assertConforms checks the shape
type Body = any

export interface Reply {
  status: number
  headers: Headers
  body: Body
  /** The body as it came. */
  text: string
  bytes: Uint8Array<ArrayBuffer>
}

interface Running {
  url: string
  database: Database
  config: Config
  /** Makes a round of a worker and waits for it: what has not happened then does not happen. */
  makeRound(name: string): Promise<void>
}

/** Servers of this test file, by the environment they were started with. */
const running = new Map<string, Promise<Running>>()
const cleanUp = new AsyncDisposableStack()
after(() => cleanUp.disposeAsync())

/** Addresses are looked up only where a test is about that. */
export const quiet = { PORT: '0', WAYBILL_LOG: 'error', WAYBILL_GEOCODER: 'off' }

async function run(environment: Record<string, string>): Promise<Running> {
  const { url: databaseUrl, drop } = await makeDatabase()
  cleanUp.defer(drop)
  // The whole suite can run with it and without.
  const { WAYBILL_GATHER_CREATES = 'true' } = process.env
  const WAYBILL_DATA = await mkdtemp(join(tmpdir(), 'waybill-data-'))
  cleanUp.defer(() => rm(WAYBILL_DATA, { recursive: true, force: true }))
  const config = readConfig({
    ...quiet,
    DATABASE_URL: databaseUrl,
    WAYBILL_DATA,
    WAYBILL_GATHER_CREATES,
    ...environment,
  })
  const server = await start(
    config,
    createLog(config.log, process.stderr),
    process.env['WAYBILL_TEST_PAGES'] || undefined,
  )
  cleanUp.defer(server.stop)
  // A server that stops waits up to a second for connections that are still open.
  cleanUp.defer(() => getGlobalDispatcher().destroy())
  const role = await migrate(databaseUrl, () => {})
  const database = openDatabase({ url: databaseUrl, role, connections: 4, onIdleError: () => {} })
  cleanUp.defer(database.close)
  return { url: server.url, database, config, makeRound: server.makeRound }
}

/** The server of this test file, and an organisation in it that nobody else uses. */
export async function startServer(_t: TestContext, environment: Record<string, string> = {}) {
  const key = JSON.stringify(environment)
  if (!running.has(key)) running.set(key, run(environment))
  const server = await (running.get(key) as Promise<Running>)
  return { ...server, ...(await makeOrganisation(server)), another: () => makeOrganisation(server) }
}

export type TestServer = Awaited<ReturnType<typeof startServer>>

/** An organisation with a key, and the verbs to call the API with it. */
export async function makeOrganisation({ url, database }: Pick<Running, 'url' | 'database'>) {
  const db = database.everyone
  const place = { name: 'Test', country: 'RO', timezone: 'Europe/Bucharest', currency: 'RON' }
  const { id: organisationId } = await insertOrganisation(db, place)
  await insertAdmin(db, organisationId, 'Admin')
  const key = await createKey(db, organisationId, 'Test key')

  const call = (method: string) => (path: string, body?: unknown) =>
    request(url, method, path.startsWith('/api') ? path : `/api/v1${path}`, { key, body })

  return {
    url,
    database,
    organisationId,
    key,
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    delete: call('DELETE'),
    /** The names of what happened to a task, in order. */
    async triggers(awb: string) {
      const rows = await db.many<{ trigger_id: number }>(sql`
        select trigger_id from events
        where organisation_id = ${organisationId} and awb = ${awb}
        order by sequence`)
      return rows.map(({ trigger_id }) => triggerName(trigger_id))
    },
  }
}

interface RequestOptions {
  key?: string
  body?: unknown
  headers?: Record<string, string>
  /** Sent as it is, instead of a body made into JSON. */
  raw?: string | Uint8Array<ArrayBuffer>
}

/**
 * One request, and an answer that is certain to be what the OpenAPI document says. Not with `fetch`, which takes twice
 * the time of the server and has long answers compressed.
 */
export async function request(
  base: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Reply> {
  const { key, body, headers = {}, raw } = options
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await send(base + path, {
    method: method as Dispatcher.HttpMethod,
    headers: {
      ...(key && { authorization: key }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  })
  const responseHeaders = new Headers()
  for (const [name, value] of Object.entries(response.headers))
    for (const one of [value ?? []].flat()) responseHeaders.append(name, one)
  const status = response.statusCode
  const type = responseHeaders.get('content-type')
  // A stream has no end to wait for; that it began is all there is to say.
  const isStream = type?.includes('event-stream') === true
  if (isStream) response.body.on('error', () => {}).destroy()
  const bytes = isStream ? new Uint8Array() : new Uint8Array(await response.body.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  const answer: Body = type?.includes('json') ? JSON.parse(text) : text
  assert.ok(responseHeaders.get('x-request-id'), 'every answer carries its request id')
  const isPaper =
    type === 'application/pdf' ||
    type === 'application/zpl' ||
    type === 'application/x-tar' ||
    type?.startsWith('text/csv') === true ||
    status === 304
  const isPicture = /^(\/t\/[^/]+)?\/files\//.test(path)
  // The form of a page is answered with a page, and so is a browser that cannot get a file.
  const isForm = headers['content-type']?.includes('form-urlencoded') === true && path.startsWith('/t/')
  const isRefusedPaper = path.includes('/proof.pdf') && headers['accept']?.includes('text/html') === true
  const isPage = isForm || isRefusedPaper
  const isAnswer = /^\/(api|osmand|t\/[^/]+)\//.test(path) && !isStream && !isPaper && !isPage
  if (isPicture ? status >= 400 : isAnswer) {
    assert.equal(answer.success, status === 200, 'success and the status tell the same')
    assertConforms(method, path, status, answer)
  }
  return { status, headers: responseHeaders, body: answer, text, bytes }
}
