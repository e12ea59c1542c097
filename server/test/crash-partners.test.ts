import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../db/db.ts'
import { createKey } from '../organisations/actions.ts'
import { insertAdmin, insertOrganisation } from '../organisations/queries.ts'
import { cleanUpOf } from './clean-up.ts'
import { startDurable, startGate, startProcess } from './crash.ts'
import { aTask } from './factories.ts'
import { findSplits } from './pairs.ts'
import { amountsOf, seedOr, tellNumbers } from './proofs.ts'
import { seededRandom } from './random.ts'
import { patienceMs, until } from './until.ts'

/* Tasks are given to a partner and back, in sets, while everything is killed: each is with one of them all the time. */

const { deaths } = amountsOf('crash-partners')
/** Who dies, in turn. */
const dying = [['server'], ['database'], ['database', 'server']] as const
const ownerKey = 'crash-suite-key-of-the-first-organisation'

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
  body: any
}

async function call(url: string, key: string, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patienceMs),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

async function must(...given: Parameters<typeof call>) {
  const { status, body } = await call(...given)
  assert.equal(status, 200, `${given[2]} ${given[3]}: ${JSON.stringify(body)}`)
  return body
}

/** An organisation besides the first one, and its key. */
async function addOrganisation(url: string) {
  const database = openDatabase({ url, connections: 1, onIdleError: () => {} })
  try {
    const place = { name: 'Courier', country: 'RO', timezone: 'Europe/Bucharest', currency: 'RON' }
    const { id } = await insertOrganisation(database.everyone, place)
    await insertAdmin(database.everyone, id, 'Admin')
    return { id, key: await createKey(database.everyone, id, 'Key') }
  } finally {
    await database.close()
  }
}

test('a task given to a partner, or back, is with one of them whatever dies meanwhile', async (t) => {
  const cleanUp = cleanUpOf(t)
  const database = await startDurable()
  cleanUp.defer(database.stop)
  const gate = await startGate(database)
  cleanUp.defer(gate.close)
  const start = () => startProcess(gate.url, { WAYBILL_API_KEY: ownerKey, WAYBILL_GEOCODER: 'off' })
  let server = await start()
  cleanUp.defer(() => server.kill())
  const random = seededRandom(seedOr(20_261_118))

  const courier = await addOrganisation(gate.url)
  const owner = { id: 1, key: ownerKey }
  for (const [one, other] of [
    [owner, courier],
    [courier, owner],
  ] as const)
    await must(server.url, one.key, 'POST', '/partners', { companyId: other.id })
  const { team } = await must(server.url, courier.key, 'POST', '/teams', { name: 'Team' })
  const drivers = { name: 'Driver', phone: '0712000001', teams: [team.id] }
  const { user } = await must(server.url, courier.key, 'POST', '/drivers', drivers)

  const tasks = Array.from({ length: 40 }, (_, at) => aTask({ awb: `P-${at}`, totalPrice: 50 }))
  const { results } = (await must(server.url, ownerKey, 'POST', '/tasks/bulkCreate', { tasks })) as unknown as {
    results: { data: { id: number } }[]
  }
  const ids = results.map(({ data }) => data.id)

  const told = { given: 0, back: 0, lost: 0, wrong: [] as string[] }
  let isStopping = false
  const count = (answer: Answer, name: 'given' | 'back') => {
    const { results = [] } = answer.body as { results?: { success: boolean }[] }
    told[name] += results.filter(({ success }) => success).length
    if (answer.status !== 200 && answer.status !== 503)
      told.wrong.push(`${answer.status} ${JSON.stringify(answer.body)}`)
  }
  const some = () => ids.filter(() => random() < 0.4)
  const theirs = async () => {
    const { body } = await call(server.url, courier.key, 'GET', '/tasks')
    return ((body.tasks ?? []) as { id: number; awb: string; statusId: number }[]).filter(() => random() < 0.5)
  }
  /** Each does one thing after the other, and goes on when there was no answer. */
  const work = async (turn: () => Promise<unknown>) => {
    while (!isStopping)
      await turn().catch(async () => {
        told.lost += 1
        await sleep(30)
      })
  }
  const working = Promise.all([
    work(async () => {
      const companyId = courier.id
      count(await call(server.url, ownerKey, 'PUT', '/tasks/bulkDelegate', { tasks: some(), companyId }), 'given')
    }),
    work(async () => {
      count(await call(server.url, ownerKey, 'PUT', '/tasks/bulkUndelegate', { tasks: some() }), 'back')
      await sleep(20)
    }),
    work(async () => {
      const has = await theirs()
      const tasks = has.map(({ id }) => id)
      await call(server.url, courier.key, 'POST', `/drivers/${user.id}/tasks/bulkAssign`, { tasks })
      const few = has.filter(() => random() < 0.3)
      await call(server.url, courier.key, 'POST', '/tasks/bulkUnassign', { tasks: few.map(({ awb }) => awb) })
      count(
        await call(server.url, courier.key, 'PUT', '/tasks/bulkUndelegate', { tasks: few.map(({ id }) => id) }),
        'back',
      )
    }),
  ])

  for (let death = 0; death < deaths; death += 1) {
    const before = told.given
    await until('tasks to be given', () => told.given > before)
    await sleep(random() * 400)
    const victims = dying[death % dying.length] as readonly string[]
    if (victims.includes('database')) database.kill()
    if (victims.includes('server')) await server.kill()
    if (victims.includes('database')) await database.startAgain()
    assert.deepEqual(await database.ask(findSplits()), [], `after death ${death + 1} (${victims.join(' and ')})`)
    if (victims.includes('server')) server = await start()
    await until('the server to be ready', () =>
      fetch(`${server.url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  }
  const before = told.given
  await until('tasks to be given again', () => told.given > before)
  isStopping = true
  await working

  assert.deepEqual(told.wrong, [], 'only 503 while something is away')
  assert.deepEqual(await database.ask(findSplits()), [])
  assert.ok(told.back > 0, 'some came back')
  tellNumbers(t, 'crash-partners', {
    deaths,
    'tasks given': told.given,
    'tasks given back': told.back,
    unanswered: told.lost,
  })
})
