import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../receiver.ts'
import { startServer } from '../server.ts'
import { assertIs, webHook as webHookShape } from './shapes.ts'
import { ok, refused } from './world.ts'

test('a webhook can be created for each of the nine triggers, and all of them are listed', async (t) => {
  const server = await startServer(t)
  const { url } = await startReceiver(t)
  const created = []
  for (const trigger of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    const { success, webHook } = await ok(server.post('/webHooks', { url, trigger }))
    assert.equal(success, true)
    assertIs(webHookShape, webHook, 'webHook')
    assert.deepEqual([webHook.url, webHook.trigger, webHook.companyId], [url, trigger, server.organisationId])
    created.push(webHook.id)
  }

  const { success, webHooks } = await ok(server.get('/webHooks'))
  assert.equal(success, true)
  for (const webHook of webHooks) assertIs(webHookShape, webHook, 'webHook')
  assert.deepEqual(
    webHooks.map(({ id }: { id: number }) => id),
    created,
  )
  assert.equal(new Set(created).size, 9)
  assert.deepEqual((await ok((await server.another()).get('/webHooks'))).webHooks, [])
})

test('any number of webhooks may target the same trigger', async (t) => {
  const server = await startServer(t)
  const { url } = await startReceiver(t)
  for (let count = 0; count < 30; count++) await ok(server.post('/webHooks', { url: `${url}/${count}`, trigger: 4 }))
  assert.equal((await ok(server.get('/webHooks'))).webHooks.length, 30)
})

test('a trigger that does not exist is refused', async (t) => {
  const server = await startServer(t)
  const { url } = await startReceiver(t)
  for (const trigger of [0, 10, [1, 2]]) await refused(server.post('/webHooks', { url, trigger }))
})

test('a url that cannot be verified is refused', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  await receiver.close()
  await refused(server.post('/webHooks', { url: receiver.url, trigger: 4 }))
  await refused(server.post('/webHooks', { url: 'not a url', trigger: 4 }))
})

test('a deleted webhook is no longer in the list', async (t) => {
  const server = await startServer(t)
  const { url } = await startReceiver(t)
  const { webHook } = await ok(server.post('/webHooks', { url, trigger: 4 }))
  await refused((await server.another()).delete(`/webHooks/${webHook.id}`))
  const { success } = await ok(server.delete(`/webHooks/${webHook.id}`))

  assert.equal(success, true)
  assert.deepEqual((await ok(server.get('/webHooks'))).webHooks, [])
})
