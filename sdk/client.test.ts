import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../contract/operations.ts'
import { photo } from '../server/test/pictures.ts'
import { startReceiver } from '../server/test/receiver.ts'
import { startServer } from '../server/test/server.ts'
import { createClient, WaybillError } from './client.ts'

test('a client made from the table of operations creates, lists and deletes', async (t) => {
  const { url, key } = await startServer(t)
  const receiver = await startReceiver(t)
  const client = createClient({ url, key })

  const { task } = await client.createTask({ body: { awb: 'SDK 1', address: { city: 'Cluj-Napoca' } } })
  assert.equal(task.awb, 'SDK 1')

  const { webHook } = await client.createWebhook({ body: { url: receiver.url, trigger: 4 } })
  await client.deleteWebhook({ params: { webhookId: webHook.id } })
  assert.deepEqual((await client.listWebhooks()).webHooks, [])
})

test('a refusal arrives as an error with the code of the catalogue', async (t) => {
  const { url, key } = await startServer(t)
  await assert.rejects(
    createClient({ url, key }).deleteWebhook({ params: { webhookId: 999_999 } }),
    (error) => error instanceof WaybillError && error.code === 'WEBHOOK_NOT_FOUND' && error.status === 404,
  )
})

test('a client sends a picture as bytes and gets it back as bytes', async (t) => {
  const { url, key } = await startServer(t)
  const client = createClient({ url, key })
  const { file } = await client.createFile({ bytes: new Blob([photo], { type: 'image/jpeg' }) })
  const picture = await client.getFile({ params: { fileId: file.id }, query: { size: 'full' } })
  assert.deepEqual([picture.type, picture.size], ['image/jpeg', file.bytes])
  await assert.rejects(client.createFile({ bytes: new Uint8Array(3) }), { code: 'NOT_A_PICTURE' })
})

test('a client has no method for what never ends in an answer: streams and pages', () => {
  const client = createClient({ url: 'http://127.0.0.1', key: '' })
  const left = Object.keys(operations).filter((name) => !(name in client))
  assert.deepEqual(left.sort(), ['showProofs', 'showTracking', 'streamCalls', 'streamEvents', 'streamTracking'])
  // @ts-expect-error: nor in its type
  assert.equal(client.streamEvents, undefined)
})
