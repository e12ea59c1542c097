import { sql } from '../server/db/sql.ts'
import { columnList, unnest } from '../server/db/table.ts'
import { locations } from '../server/drivers/positions.ts'
import type { Request, Statement } from './load.ts'
import { compare, keepResults } from './measure.ts'
import { makePhones, type Phone, type Stage, withStage } from './stage.ts'

/*
 * A thousand phones that report where they are, in batches of some minutes. The limit is the same rows as SQL: one
 * insert a batch into the same table, without the newest position of each driver, which the API keeps too.
 */

const rounds = 3
const phones = 1_000
const connections = 64
/** Positions in a batch: of a phone that is online, and of one that was not for half an hour. */
const sizes = [20, 100]

export async function run(args: string[]) {
  const results: Record<string, unknown> = {}
  await withStage('Positions', rounds, async (stage) => {
    const made = await makePhones(stage, phones)
    await stage.client.query('update users set in_shift = true where is_driver')
    await stage.client.query('vacuum analyze')
    for (const size of sizes) {
      const title = `POST /driver/locations, ${phones} phones, ${size} positions a batch`
      results[`positions${size}`] = await compare(title, 'positions/s', 'one insert a batch', rounds, {
        'one insert a batch': () => viaSql(stage, made, size),
        waybill: () => viaApi(stage, made, size),
      })
    }
  })
  if (args.includes('--keep')) await keepResults('positions', results)
}

let driven = 0
const begun = Date.now() - 3_600_000

/** What every phone sends next: a position a second. */
const nextBatch = (size: number) =>
  Array.from({ length: size }, () => {
    driven += 1
    return { lat: 44.4 + driven / 100_000, lng: 26.1, at: new Date(begun + driven * 1_000) }
  })

/** One list of work for each connection. */
const dealt = <Work>(all: Work[]): Work[][] =>
  Array.from({ length: connections }, (_, place) => all.filter((__, index) => index % connections === place))

async function viaApi(stage: Stage, made: Phone[], size: number): Promise<number> {
  const body = JSON.stringify({
    locations: nextBatch(size).map(({ lat, lng, at }) => ({
      lat,
      lng,
      occurredAt: at.toISOString(),
      accuracyMetres: 8,
      speedMetresPerSecond: 11,
      heading: 90,
      battery: 71,
    })),
  })
  const path = '/api/v1/driver/locations'
  const requests = made.map(({ token }): Request => ({ method: 'POST', path, body, key: token }))
  const lists = dealt(requests).map((part) => ({ key: '', requests: part }))
  return requireKept(stage, size, async () => {
    const { perSecond, statuses } = await stage.load.work({ url: stage.api.url, lists })
    if (statuses[200] !== requests.length) throw new Error(`Answers: ${JSON.stringify(statuses)}`)
    return perSecond * size
  })
}

const columns = Object.keys(locations.columns) as (keyof typeof locations.columns)[]

async function viaSql(stage: Stage, made: Phone[], size: number): Promise<number> {
  const { databaseUrl, organisationId } = stage
  const batch = nextBatch(size)
  const statements = made.map(({ driverId }): Statement => {
    const rows = batch.map(({ lat, lng, at }) => ({
      organisation_id: organisationId,
      driver_id: driverId,
      occurred_at: at,
      lat,
      lng,
      accuracy_metres: 8,
      speed_metres_per_second: 11,
      heading: 90,
      battery: 71,
    }))
    const { text, values } = sql`
        insert into locations (${columnList(columns)}) select * from ${unnest(locations, columns, rows)}`
    return { text, values }
  })
  return requireKept(stage, size, async () => {
    const { perSecond } = await stage.load.work({ databaseUrl, organisationId, lists: dealt(statements) })
    return perSecond * size
  })
}

/** A number counts only if everything was kept. */
async function requireKept({ client }: Stage, size: number, work: () => Promise<number>): Promise<number> {
  const count = async () => (await client.query('select count(*)::int as kept from locations')).rows[0].kept as number
  const before = await count()
  const perSecond = await work()
  const kept = (await count()) - before
  if (kept !== phones * size) throw new Error(`Only ${kept} positions were kept`)
  return perSecond
}
