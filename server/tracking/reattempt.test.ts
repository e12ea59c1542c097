import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask, makeDriver } from '../test/factories.ts'
import { request, startServer, type TestServer } from '../test/server.ts'

const choose = (server: TestServer, uuid: string, body: object) =>
  request(server.url, 'POST', `/t/${uuid}/reattempt`, { body })
const see = async (server: TestServer, uuid: string) =>
  (await request(server.url, 'GET', `/t/${uuid}/task`)).body.tracking
const show = async (server: TestServer, uuid: string, language = 'en') =>
  (await request(server.url, 'GET', `/t/${uuid}`, { headers: { 'accept-language': language } })).text

async function aFailed(server: TestServer, given: object = {}) {
  await server.put('/company', {
    settings: { recipientReattemptDays: 3, recipientReattemptWindows: '09:00-13:00', recipientSafePlace: true },
  })
  const driver = await makeDriver(server)
  const customer = { name: 'Ana Pop', phone: '0722 111 222' }
  const { body } = await server.post('/tasks', aTask({ awb: 'A-1', userId: driver.id, customer, ...given }))
  await server.put('/tasks/awb/A-1/forceComplete', { success: false })
  return body.task as { uuid: string; id: number }
}

test('the recipient of a failed delivery chooses a day, a window and a safe place, once', async (t) => {
  const server = await startServer(t)
  const { uuid } = await aFailed(server, { customerNotes: 'Ring twice' })
  const { again } = await see(server, uuid)
  const page = await show(server, uuid)
  assert.match(page, /When shall we come again\?/)
  assert.match(page, new RegExp(`<option value="${again.days[1]}">`))

  const chosen = { day: again.days[1], window: '09:00-13:00', safePlace: 'In the shed' }
  assert.equal((await choose(server, uuid, chosen)).status, 200)
  const next = (await server.get('/tasks/awb/A-1-2')).body.task
  assert.deepEqual(
    [next.customerNotes, next.statusId, next.timelines[0].actor.name],
    ['Ring twice\nDacă nu răspunde nimeni, coletul poate fi lăsat aici: In the shed', 1, 'Customer'],
  )
  assert.match(next.completeAfter, new RegExp(`^${again.days[1]}T0[67]:00`))

  const old = await see(server, uuid)
  assert.deepEqual([old.again, old.next], [null, { kind: 'again', path: `/t/${next.uuid}` }])
  assert.match(await show(server, uuid, 'ro'), new RegExp(`Vom încerca din nou[^]*href="/t/${next.uuid}"`))
  assert.equal((await choose(server, uuid, chosen)).body.error.code, 'REATTEMPT_CLOSED')
  assert.deepEqual((await see(server, next.uuid)).instructions.given, ['In the shed'])
  const failed = (await server.get('/tasks/awb/A-1')).body.task
  assert.equal(failed.customerNotes, 'Ring twice')
})

test('the form works without script, and says politely what is not possible', async (t) => {
  const server = await startServer(t)
  const { uuid } = await aFailed(server)
  const { again } = await see(server, uuid)
  const send = (fields: Record<string, string>) =>
    fetch(`${server.url}/t/${uuid}/reattempt`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
  const chosen = { day: again.days[0], window: '09:00-13:00', safePlace: '' }
  const done = await send(chosen)
  assert.deepEqual([done.status, done.headers.get('location')], [303, `/t/${uuid}`])
  const late = await send(chosen)
  assert.equal(late.headers.get('location'), `/t/${uuid}?refused=REATTEMPT_CLOSED`)
  assert.match(await show(server, `${uuid}?refused=REATTEMPT_CLOSED`), /can no longer be chosen/)
})

test('nobody chooses what was not offered, nor where it is off, nor for an open task', async (t) => {
  const server = await startServer(t)
  const { uuid } = await aFailed(server)
  const { again } = await see(server, uuid)
  const codeOf = async (body: object, of = uuid) => (await choose(server, of, body)).body.error?.code
  assert.equal(await codeOf({ day: '2020-01-01', window: '09:00-13:00' }), 'VALIDATION_FAILED')
  assert.equal(await codeOf({ day: again.days[0], window: '10:00-11:00' }), 'VALIDATION_FAILED')
  assert.equal(await codeOf({ window: '09:00-13:00' }), 'VALIDATION_FAILED')
  const { uuid: open } = (await server.post('/tasks', aTask())).body.task
  assert.equal(await codeOf({ day: again.days[0], window: '09:00-13:00' }, open), 'REATTEMPT_CLOSED')
  await server.put('/company', { settings: { recipientReattemptDays: 0 } })
  assert.equal(await codeOf({ day: again.days[0], window: '09:00-13:00' }), 'REATTEMPT_CLOSED')
  assert.equal((await server.get('/tasks?q=A-1')).body.tasks.length, 1)
})

test('the page of a failed task does not lead to the page of another customer', async (t) => {
  const server = await startServer(t)
  const { uuid } = await aFailed(server)
  await server.post('/tasks/awb/A-1/reattempt')
  await server.put('/tasks/awb/A-1-2', { customer: { name: 'Somebody else', phone: '0733 222 111' } })
  assert.deepEqual((await see(server, uuid)).next, { kind: 'again', path: null })
})

test('the page says that a parcel goes back', async (t) => {
  const server = await startServer(t)
  const { uuid } = await aFailed(server)
  await server.post('/tasks/awb/A-1/return', { address: aTask().address })
  assert.match(await show(server, uuid), /goes back to its sender/)
  assert.equal((await see(server, uuid)).again, null)
})
