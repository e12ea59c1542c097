import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask, makeDriver } from '../test/factories.ts'
import { request, startServer, type TestServer } from '../test/server.ts'

const open = (server: TestServer, uuid: string, headers: Record<string, string> = {}) =>
  request(server.url, 'GET', `/t/${uuid}`, { headers })

test('a customer opens the link of a task and reads its state, in their language', async (t) => {
  const server = await startServer(t)
  const { uuid } = (await server.post('/tasks', aTask({ awb: 'BUC1-0135' }))).body.task
  const english = await open(server, uuid)
  assert.equal(english.status, 200)
  assert.match(english.text, /<html lang="en">.*We have your order.*BUC1-0135/s)
  const romanian = await open(server, uuid, { 'accept-language': 'ro-RO,ro;q=0.9,en;q=0.8' })
  assert.match(romanian.text, /<html lang="ro">.*Am primit comanda ta/s)
  const driver = await makeDriver(server, { name: 'Vlad Ene' })
  await server.put(`/containers/drivers/${driver.id}`, { tasks: ['BUC1-0135'] })
  const assigned = (await open(server, uuid)).text
  assert.match(assigned, /Vlad/)
  assert.doesNotMatch(assigned, /Ene/)
})
