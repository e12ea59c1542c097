import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeDriver } from '../test/factories.ts'
import { startReceiver } from '../test/receiver.ts'
import { startServer } from '../test/server.ts'

test('every list can be read in pages, and is complete without a limit', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  for (let number = 1; number <= 3; number += 1) {
    await makeDriver(server) // with a team of their own
    await server.post('/hubs', { name: `Hub ${number}`, lat: 44.4, lng: 26.1 })
    await server.post('/webHooks', { url: receiver.url, trigger: number })
    await server.post('/keys', { name: `Key ${number}` })
    await server.post('/people', { name: `Person ${number}`, email: `p${number}@${server.organisationId}.example` })
  }
  const lists = { teams: 'teams', hubs: 'hubs', webHooks: 'webHooks', keys: 'keys', people: 'people', drivers: 'users' }
  for (const [path, member] of Object.entries(lists)) {
    const whole = (await server.get(`/${path}`)).body
    assert.ok(whole[member].length >= 3, path)
    assert.equal(whole.nextCursor, undefined, path)
    const read: unknown[] = []
    let query = '?limit=2'
    for (let pages = 0; query && pages < 10; pages += 1) {
      const { body } = await server.get(`/${path}${query}`)
      assert.ok(body[member].length <= 2, path)
      read.push(...body[member])
      query = body.nextCursor && `?limit=2&cursor=${body.nextCursor}`
    }
    assert.deepEqual(read, whole[member], path)
    for (const [wrong, field] of [
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['cursor=nonsense', 'cursor'],
    ]) {
      const { status, body } = await server.get(`/${path}?${wrong}`)
      assert.deepEqual([status, body.error?.field], [400, field], `${path}?${wrong}`)
    }
  }
})
