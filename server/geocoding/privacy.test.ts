import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { aTask } from '../test/factories.ts'
import { answer, startReceiver } from '../test/receiver.ts'
import { startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'

/** Every connection this process makes from now on: to whom, by the port; and the names it asks for. */
function watchConnections(t: TestContext) {
  const seen: string[] = []
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.on('lookup', (_error, _address, _family, host) => seen.push(host))
    socket.on('connectionAttempt', (ip, port) => seen.push(`${ip}:${port}`))
  }
  subscribe('net.client.socket', watch)
  t.after(() => unsubscribe('net.client.socket', watch))
  return seen
}

/** Addresses of tasks, customers and hubs, and one for an estimate: all that is ever looked up. */
async function lookUpEverything(server: TestServer) {
  const address = { address: 'Strada Memorandumului 1, Cluj-Napoca' }
  const customer = { name: 'Maria', phone: '0712345678', address: 'Strada Lipscani 12, București' }
  await server.post('/tasks', aTask({ awb: 'A', address, customer }))
  await server.post('/hubs', { name: 'Depot', address: 'Calea Aradului 1, Timișoara' })
  await server.post('/planning/estimate', { address: { address: 'Bulevardul Unirii 3, Iași' } })
  await server.put('/tasks/awb/A', { address: { address: 'Strada Horea 2, Cluj-Napoca' } })
  await until('task and customer to be found', async () => {
    const { task } = (await server.get('/tasks/awb/A')).body
    return task.address.lat !== null && task.customer.lat !== null
  })
}

/** The server itself, its database, and names of this machine. */
const isOwn = ({ url, config }: TestServer) => {
  const ports = [url, config.databaseUrl as string].map((one) => new URL(one).port)
  return (to: string) => to === 'localhost' || ports.some((port) => to.endsWith(`:${port}`))
}

test('no address leaves this machine unless the operator has chosen a geocoder', async (t) => {
  // As it comes: the variable is not set.
  const server = await startServer(t, { WAYBILL_GEOCODER: '' })
  const seen = watchConnections(t)
  await lookUpEverything(server)
  const { address } = (await server.get('/tasks/awb/A')).body.task
  assert.equal(address.precisionDetail, 'city')
  assert.deepEqual(
    seen.filter((to) => !isOwn(server)(to)),
    [],
  )
})

test('a geocoder that was chosen is asked, and this test would see it', async (t) => {
  const nominatim = await startReceiver(t)
  const house = [{ lat: '44.4317', lon: '26.1015', place_rank: 30 }]
  nominatim.always(answer(200, { body: JSON.stringify(house) }))
  const environment = {
    WAYBILL_GEOCODER: 'nominatim',
    WAYBILL_GEOCODER_URL: `http://127.0.0.1:${nominatim.port}`,
    WAYBILL_GEOCODER_RATE: '50',
  }
  const server = await startServer(t, environment)
  const seen = watchConnections(t)
  await lookUpEverything(server)
  assert.ok(seen.includes(`127.0.0.1:${nominatim.port}`), seen.join())
})
