import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { addDays } from '../../core/day-range.ts'
import { dayOf } from '../../core/task-day.ts'
import { triggers } from '../../core/triggers.ts'
import { cleanUpOf } from './clean-up.ts'
import { beginDuty, makeDriver, signIn, zoneOfNoon } from './factories.ts'
import { openCalendar } from './pass-a-day.ts'
import { startReceiver } from './receiver.ts'
import { startServer } from './server.ts'
import { createModel, type Parcel } from './week-model.ts'

/* What everybody in the firm stands on: its server, calendar and model, its drivers and what they have, and dice. */

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
export type Wire = any

export interface Size {
  drivers: number
  /** How many parcels come in on a day. */
  parcels: number
}

/** What a driver did and the phone has not sent, and what it comes to once it is heard of. */
export interface Done {
  op: Record<string, unknown>
  doneOn: number
  doneMs: number
  apply(): void
}

const mostAttempts = 3

export type Ground = Awaited<ReturnType<typeof openGround>>

export async function openGround(t: TestContext, random: () => number, size: Size) {
  const server = await startServer(t)
  const cleanUp = cleanUpOf(t)
  const calendar = await openCalendar(server)
  cleanUp.defer(calendar.close)
  const receiver = await startReceiver(t)
  const timezone = zoneOfNoon()
  const settings = {
    moneyDecimals: 2,
    allowPartialPayments: true,
    makeSignaturesMandatory: true,
    mostAttempts,
    afterLastAttempt: 'return',
  }
  await did(server.put('/company', { timezone, settings }))
  await did(server.post('/hubs', { name: 'Hub', lat: 44.45, lng: 26.1, address: 'Calea Griviței 5, București' }))
  for (const { id: trigger } of Object.values(triggers))
    await did(server.post('/webHooks', { url: receiver.url, trigger }))

  const model = createModel(mostAttempts)
  const drivers: { id: number; key: string; waiting: Done[] }[] = []
  for (let count = 0; count < size.drivers; count += 1) {
    const driver = await makeDriver(server)
    const key = await signIn(server, driver)
    await beginDuty(server.url, key)
    drivers.push({ id: driver.id, key, waiting: [] })
  }
  const dayName = (day: number) => addDays(dayOf(Date.now(), timezone), day - ground.today)

  const upTo = (count: number) => Math.floor(random() * count)
  const oneOf = <One>(list: readonly One[]) => list[upTo(list.length)] as One
  const shuffled = <One>(list: readonly One[]) =>
    list
      .map((one) => [random(), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one)
  const idOf = (driver: number) => drivers[driver]?.id as number
  const heldBy = new Map<Parcel, number>()
  /** Where each parcel goes, by its first AWB; regular work has one door. */
  const doorOf = new Map<string, string>()
  const stopOf = ({ root, returnOf }: Parcel) => (returnOf ? 'hub' : doorOf.get(root))
  const inVehicle = new Set<Parcel>()
  const isForTomorrow = (awb: string) => awb === ground.ahead

  async function did(answer: Promise<{ status: number; text: string; body: Wire }>): Promise<Wire> {
    const { status, text, body } = await answer
    assert.equal(status, 200, text)
    return body
  }
  const refused = async (answer: Promise<{ body: Wire }>, code: string) =>
    assert.equal((await answer).body.error?.code, code)

  /** What failed for the last time goes back at once, so that nobody else is faster. */
  async function returnByItself() {
    await server.makeRound('returning')
    for (const parcel of model.bringBackByItself()) {
      follow(parcel, await did(server.get(`/tasks/awb/${parcel.awb}`)))
      ground.counts.returns += 1
    }
  }
  const follow = (parcel: Parcel, { task }: Wire) => {
    parcel.id = task.id
    assert.equal(task.awb, parcel.awb)
  }

  async function listTasks(): Promise<Wire[]> {
    const tasks: Wire[] = []
    for (let cursor = ''; ; ) {
      const page = await did(server.get(`/tasks?limit=1000${cursor}`))
      tasks.push(...page.tasks)
      if (!page.nextCursor) return tasks
      cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
    }
  }

  const ground = {
    /** The number of the day, from 0. */
    today: 0,
    /** The regular task that was made a day ahead. */
    ahead: '',
    counts: {
      days: 0,
      parcels: 0,
      tries: 0,
      returns: 0,
      corrections: 0,
      payments: 0,
      late: 0,
      scans: 0,
      'closed days': 0,
    },
    server,
    model,
    calendar,
    receiver,
    drivers,
    heldBy,
    doorOf,
    stopOf,
    inVehicle,
    upTo,
    oneOf,
    shuffled,
    random,
    idOf,
    dayName,
    isForTomorrow,
    did,
    refused,
    follow,
    returnByItself,
    listTasks,
    size,
  }
  return ground
}
