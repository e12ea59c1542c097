import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request, startServer } from '../server.ts'

const endpoints = [
  ['POST', '/drivers'],
  ['PUT', '/drivers/1'],
  ['DELETE', '/drivers/1'],
  ['GET', '/drivers'],
  ['GET', '/drivers/1/tasks'],
  ['POST', '/drivers/1/tasks/bulkCreate'],
  ['POST', '/drivers/1/tasks/optimizeTodayTasks'],
  ['PUT', '/containers/drivers/1'],
  ['POST', '/drivers/1/tasks/bulkAssign'],
  ['POST', '/tasks'],
  ['PUT', '/tasks/awb/A-1'],
  ['PUT', '/tasks/awb/A-1/forceComplete'],
  ['POST', '/tasks/bulkUnassign'],
  ['POST', '/teams'],
  ['GET', '/teams'],
  ['DELETE', '/teams/1'],
  ['POST', '/webHooks'],
  ['GET', '/webHooks'],
  ['DELETE', '/webHooks/1'],
] as const

test('all nineteen endpoints exist and need a key', async (t) => {
  const server = await startServer(t)
  const nowhere = await request(server.url, 'GET', '/api/v1/nowhere')
  assert.equal(nowhere.body.success, false)

  for (const [method, path] of endpoints) {
    const { status, body } = await request(server.url, method, `/api/v1${path}`)
    assert.equal(body.success, false, `${method} ${path}`)
    assert.notEqual(status, nowhere.status, `${method} ${path}`)
  }
})

test('the key is the whole value of the Authorization header', async (t) => {
  const server = await startServer(t)
  const reply = await request(server.url, 'GET', '/api/v1/webHooks', { headers: { authorization: server.key } })
  assert.deepEqual(reply.body, { success: true, webHooks: [] })

  for (const wrong of [`Key ${server.key}`, server.key.slice(0, -1), 'wb_1_not-a-key']) {
    const { body } = await request(server.url, 'GET', '/api/v1/webHooks', { key: wrong })
    assert.equal(body.success, false, wrong)
  }
})

test('even a body that is not JSON gets an answer with success', async (t) => {
  const server = await startServer(t)
  assert.equal((await server.get('/webHooks')).body.success, true)
  const reply = await request(server.url, 'POST', '/api/v1/tasks', { key: server.key, raw: '{"awb": ' })
  assert.equal(reply.body.success, false)
})
