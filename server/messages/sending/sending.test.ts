import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { cleanUpOf } from '../../test/clean-up.ts'
import { anOffice, neverQuiet, type Office, toFiles, type Wire } from '../../test/messages.ts'
import { answer, reset, startReceiver } from '../../test/receiver.ts'
import { startSecond } from '../../test/second.ts'
import { until } from '../../test/until.ts'

/** An office whose provider is a server that tests can tell how to behave. */
async function aProvider(t: TestContext, settings: object) {
  const provider = await startReceiver(t)
  const folder = await mkdtemp(join(tmpdir(), 'waybill-sending-'))
  cleanUpOf(t).defer(() => rm(folder, { recursive: true, force: true }))
  const template = join(folder, 'sms.json')
  const url = `http://127.0.0.1:${provider.port}/sms`
  await writeFile(template, JSON.stringify({ url, body: { to: '{to}', text: '{text}' } }))
  const office = await anOffice(t, settings, { WAYBILL_SMS: `gateway:${template}` })
  return { provider, office }
}

const start = async (office: Office, given: object = {}): Promise<Wire> => {
  const task = await office.create(given)
  await office.act('start', task)
  return task
}

/** What waits is due now. */
const hurry = ({ server }: Office) =>
  server.database.everyone.run(sql`
    update messages set due_at = now() where organisation_id = ${server.organisationId} and claim is null`)

test('what the customer was told once is not told again when it happens again', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true })
  const task = await start(office)
  await office.ended(1)
  const calls = [
    await office.server.post('/tasks/bulkUnassign', { tasks: [task.awb] }),
    await office.server.put(`/containers/drivers/${office.driver.id}`, { tasks: [task.awb] }),
  ]
  assert.deepEqual(
    calls.map(({ status }) => status),
    [200, 200],
    calls.map(({ text }) => text).join(),
  )
  await office.act('start', task)
  // A message is written together with its cause, so a second one would be there now.
  assert.equal((await office.list()).length, 1)
})

test('nothing is written down until an admin turns a cause on', async (t) => {
  const office = await anOffice(t, {})
  const task = await start(office)
  await office.act('arrive', task)
  await office.act('complete', task)
  const failed = await start(office, {
    completeAfter: new Date(Date.now() + 3_600_000).toISOString(),
    completeBefore: new Date(Date.now() + 7_200_000).toISOString(),
  })
  const completeBefore = new Date(Date.now() + 9_000_000).toISOString()
  assert.equal((await office.server.put(`/tasks/awb/${failed.awb}`, { completeBefore })).status, 200)
  await office.server.put(`/tasks/awb/${failed.awb}/forceComplete`, { success: false })
  await office.server.makeRound('next stops')
  assert.deepEqual(await office.list(), [])
})

test('a message is noted as being sent before the provider gets it', async (t) => {
  const { provider, office } = await aProvider(t, { messageOnItsWay: true })
  const seen = new Promise<Wire>((resolve) =>
    provider.always((_, response) => {
      const noted = office.server.database.everyone.many(sql`
        select state, attempts from messages where organisation_id = ${office.server.organisationId}`)
      noted.then(resolve).finally(() => response.end())
    }),
  )
  await start(office)
  assert.deepEqual(await seen, [{ state: 'sending', attempts: 1 }])
  assert.equal((await office.ended(1))[0].state, 'sent')
})

test('a message that may have been sent is not sent again by itself', async (t) => {
  const { provider, office } = await aProvider(t, { messageOnItsWay: true })
  provider.always(reset)
  await start(office)
  const first = await until('the connection to be lost', async () => {
    const [one] = await office.list()
    return one.attempts > 0 && one.state !== 'sending' && one
  })
  assert.equal(first.state, 'unknown')
  // Whoever sent this one died: it may have arrived.
  await office.server.database.everyone.run(sql`
    insert into messages (organisation_id, task_id, cause, channel, recipient, language, subject, body, state, attempts,
      claim, due_at, expires_at, occurred_at)
    select organisation_id, task_id, 'arrived', channel, recipient, language, subject, body, 'sending', 1,
      gen_random_uuid(), now() - interval '1 s', expires_at, occurred_at
    from messages where organisation_id = ${office.server.organisationId}`)
  await hurry(office)
  provider.always(answer(200))
  await start(office)
  const [sent, orphan, unknown] = await office.ended(3)
  assert.deepEqual(
    [sent, orphan, unknown].map(({ state, attempts }) => [state, attempts]),
    [
      ['sent', 1],
      ['unknown', 1],
      ['unknown', 1],
    ],
  )
  assert.equal(provider.requests.length, 2, 'the one that was lost, and the new one')
})

/** Around now, for two hours. */
function quietNow() {
  const hour = new Date().getUTCHours()
  const time = (at: number) => `${String((at + 24) % 24).padStart(2, '0')}:00`
  return { messageQuietFrom: time(hour - 1), messageQuietUntil: time(hour + 2) }
}

/** Sends one in quiet hours, and waits until it waits. */
async function sendQuietly(office: Office, hours = quietNow()) {
  await office.server.put('/company', { timezone: 'Etc/UTC' })
  await office.set(hours)
  const task = await start(office)
  await office.act('complete', task)
  const soon = Date.now() + 60_000
  return until('it to be sent or to wait', async () => {
    const [one] = await office.list()
    return (one.endedAt || Date.parse(one.nextAttemptAt) > soon) && one
  })
}

test('a message waits for the end of quiet hours', async (t) => {
  const office = await anOffice(t, { messageDelivered: true })
  const hours = quietNow()
  const message = await sendQuietly(office, hours)
  assert.equal(message.state, 'waiting')
  assert.match(message.nextAttemptAt, new RegExp(`T${hours.messageQuietUntil}:00`))
  assert.deepEqual(await office.received(), [])
})

test('turning quiet hours off, or changing them, lets go what waits', async (t) => {
  const office = await anOffice(t, { messageDelivered: true })
  const { messageQuietFrom, messageQuietUntil } = quietNow()
  const message = await sendQuietly(office)
  await office.server.makeRound('quiet hours')
  assert.equal((await office.list())[0].nextAttemptAt, message.nextAttemptAt, 'nothing has changed')

  const half = `${messageQuietUntil.slice(0, 3)}30`
  await office.set({ messageQuietFrom, messageQuietUntil: half })
  await office.server.makeRound('quiet hours')
  await until('it to wait for the new end', async () => (await office.list())[0].nextAttemptAt?.includes(`T${half}:00`))

  await office.set(neverQuiet)
  await office.server.makeRound('quiet hours')
  assert.equal((await office.ended(1))[0].state, 'sent')
  assert.equal((await office.received()).length, 1)
})

test('a message that waits is dropped when its cause is turned off', async (t) => {
  const office = await anOffice(t, { messageDelivered: true })
  await sendQuietly(office)
  await office.set({ messageDelivered: false, messageQuietFrom: '00:00', messageQuietUntil: '00:00' })
  await hurry(office)
  const [message] = await office.ended(1)
  assert.deepEqual([message.state, message.reason], ['dropped', 'turnedOff'])
})

test('a message that is old by the time it can be sent is dropped', async (t) => {
  const office = await anOffice(t, { messageDelivered: true })
  await sendQuietly(office)
  await office.set({ messageQuietFrom: '00:00', messageQuietUntil: '00:00' })
  await office.server.database.everyone.run(sql`
    update messages set expires_at = now() - interval '1 s', due_at = now()
    where organisation_id = ${office.server.organisationId}`)
  const [message] = await office.ended(1)
  assert.deepEqual([message.state, message.reason], ['dropped', 'tooOld'])
})

test('a task gets no more messages than the settings allow', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true, messageDelivered: true, messageMostPerTask: 1 })
  const task = await start(office)
  await office.ended(1)
  await office.act('complete', task)
  const [second, first] = await office.ended(2)
  assert.deepEqual([first.state, second.state, second.reason], ['sent', 'dropped', 'taskLimit'])
})

test('two processes together send no more in a day than the settings allow', async (t) => {
  const most = 5
  const office = await anOffice(t, { messageOnItsWay: true, messageMostPerDay: most })
  const second = await startSecond(t, office.server, 'error', toFiles)
  // Both are woken by the same commits, and each takes what the other has not.
  const tasks = await Promise.all(Array.from({ length: 24 }, () => office.create()))
  await Promise.all(tasks.map((task) => office.act('start', task)))
  const all = await office.ended(tasks.length)
  const results = Object.groupBy(all, ({ state, reason }) => `${state} ${reason}`)
  assert.deepEqual([results['sent null']?.length, results['dropped dayLimit']?.length], [most, tasks.length - most])
  assert.equal((await office.received()).length, most)
  const to = '0730888001'
  const refused = await office.server.post('/messageTexts/test', { cause: 'onItsWay', to })
  assert.equal(refused.body.error.code, 'MESSAGE_LIMIT')
  assert.equal(second.logged(), '')
})
