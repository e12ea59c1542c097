import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../contract/errors.ts'
import { type Operation, operations } from '../../../contract/operations.ts'
import { aTask, makeDriver, signIn } from '../../test/factories.ts'
import { request, startServer } from '../../test/server.ts'
import { type AllowanceName, allowanceOf, allowances, createAllowances } from './allowances.ts'

/** How many of so many calls at once are refused. */
function refusals(allowance: AllowanceName, calls: number) {
  const count = createAllowances()
  let refused = 0
  for (let call = 0; call < calls; call += 1)
    try {
      count(allowance, 'one')
    } catch (error) {
      assert.ok(error instanceof Refusal && error.code === 'RATE_LIMITED' && (error.retryAfterSeconds ?? 0) >= 1)
      refused += 1
    }
  return refused
}

test('everything behind a public link, and everything a device of a driver calls, has a limit', () => {
  const all = Object.entries<Operation>(operations)
  const without = all.filter(([, operation]) => allowanceOf(operation) === undefined).map(([name]) => name)
  const strangers = all.filter(
    ([, { access, path }]) => access === 'driver' || access === 'device' || /^\/[tp]\//.test(path),
  )
  assert.ok(strangers.length >= 25)
  assert.deepEqual(
    strangers.map(([name]) => name).filter((name) => without.includes(name)),
    [],
  )
  const named = (name: keyof typeof operations) => allowanceOf(operations[name])
  assert.deepEqual(
    [named('showTracking'), named('getTrackedProof'), named('giveFeedback'), named('getLinkedPicture')],
    ['looks', 'papers', 'words', 'looks'],
  )
  assert.deepEqual(
    [named('syncDriver'), named('postByOsmand'), named('reportDriverLocations'), named('uploadFile')],
    ['work', 'positions', 'positions', 'pictures'],
  )
  assert.equal(named('listTasks'), undefined, 'a client of the seed is never refused')
})

test('a phone that comes back after a day offline is refused nothing', () => {
  const [stops, stepsEach, picturesEach] = [150, 6, 3]
  assert.equal(refusals('work', (stops * stepsEach) / 50), 0)
  // Even if each step is a request of its own.
  assert.equal(refusals('work', stops * stepsEach), 0)
  assert.equal(refusals('pictures', stops * picturesEach), 0)
  // A tracking app sends each position by itself: one every 10 seconds for 9 hours.
  assert.equal(refusals('positions', 9 * 360), 0)
})

test('fifty people who watch one delivery end are refused nothing', () => {
  const page = 1
  const photos = 20
  assert.equal(refusals('looks', 50 * (page + photos)), 0)
  assert.equal(refusals('papers', 50), 0)
})

test('past its limit a link waits, each for itself, and is as before after ten minutes', () => {
  for (const [name, { atOnce, perSecond }] of Object.entries(allowances)) {
    assert.ok(refusals(name as AllowanceName, atOnce + 50) >= 40, name)
    assert.ok(atOnce / perSecond <= 600, name)
  }
})

test('a link that is used too often is refused, as a page where people look, and others are not', async (t) => {
  const server = await startServer(t)
  const [one, other] = [await server.post('/tasks', aTask()), await server.post('/tasks', aTask())]
  const { uuid } = one.body.task
  const say = (link: string) => request(server.url, 'POST', `/t/${link}/optOut`, { body: { optOut: true } })
  let [said, turns] = [await say(uuid), 1]
  for (; said.status === 200 && turns < 1_000; turns += 1) said = await say(uuid)
  assert.ok(turns > allowances.words.atOnce, `${turns} turns`)
  assert.deepEqual([said.status, said.body.error.code], [429, 'RATE_LIMITED'])
  assert.ok(Number(said.headers.get('retry-after')) >= 1)

  const page = await request(server.url, 'POST', `/t/${uuid}/optOut`, {
    raw: 'optOut=true',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'ro' },
  })
  assert.equal(page.status, 429)
  assert.match(page.text, /<h1>Prea multe încercări/)
  assert.equal((await say(other.body.task.uuid)).status, 200)
  assert.equal((await request(server.url, 'GET', `/t/${uuid}`)).status, 200, 'to look is something else')
})

test('a device that sends far too much waits, and the other device of the driver does not', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const [token, other] = [await signIn(server, driver), await signIn(server, driver)]
  const ask = (key: string) => request(server.url, 'GET', '/api/v1/driver/push', { key })
  let refused = 0
  for (let round = 0; round < 60 && refused === 0; round += 1) {
    const replies = await Promise.all(Array.from({ length: 100 }, () => ask(token)))
    refused += replies.filter(({ status }) => status === 429).length
  }
  assert.ok(refused > 0)
  assert.equal((await ask(other)).status, 200)
})
