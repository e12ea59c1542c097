import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../db/migrate.ts'

/* One migrated database is the template; every test file gets a copy of its own, which takes some 30 ms. */

const variables = { admin: 'WAYBILL_TEST_ADMIN', server: 'WAYBILL_TEST_SERVER', template: 'WAYBILL_TEST_TEMPLATE' }

interface Server {
  /** May create databases. */
  adminUrl: string
  /** What the program under test connects as. */
  url: string
}

async function asAdmin(adminUrl: string, statement: string) {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const makeName = (kind: string) => `waybill_${kind}_${randomBytes(6).toString('hex')}`

function onDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

export async function makeTemplate({ adminUrl, url }: Server) {
  const name = makeName('template')
  await asAdmin(adminUrl, `create database ${name} owner ${ownerOf(url)}`)
  await migrate(onDatabase(url, name), () => {})
  return {
    environment: { [variables.admin]: adminUrl, [variables.server]: url, [variables.template]: name },
    drop: () => asAdmin(adminUrl, `drop database ${name} with (force)`),
  }
}

const ownerOf = (url: string) => {
  const owner = new URL(url).username || new URL(url).searchParams.get('user')
  return owner ? pg.escapeIdentifier(decodeURIComponent(owner)) : 'current_user'
}

/** The same database, for the superuser. */
export const adminUrlOf = (url: string) =>
  onDatabase(process.env[variables.admin] as string, new URL(url).pathname.slice(1))

/** A fresh database for one test file. */
export const makeDatabase = () => make(process.env[variables.template])

/** A database with nothing in it, not even tables. */
export const makeEmptyDatabase = () => make('template0')

async function make(template: string | undefined) {
  const { [variables.admin]: adminUrl, [variables.server]: url } = process.env
  if (!adminUrl || !url || !template) throw new Error('Tests need a database: run them with npm test')
  const name = makeName('test')
  await asAdmin(adminUrl, `create database ${name} template ${template} owner ${ownerOf(url)}`)
  return { url: onDatabase(url, name), drop: () => asAdmin(adminUrl, `drop database ${name} with (force)`) }
}
