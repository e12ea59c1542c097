import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aTask } from '../factories.ts'
import { until } from '../until.ts'
import { ask, endure, isLong, openSocket, repeat, startTarget, type Target } from './target.ts'

/* Thousands of live streams, some of which are not read. */

let target: Target
before(async () => {
  target = await startTarget()
})

async function openStream(key: string): Promise<{ socket: Socket; status: number; text: string }> {
  const socket = await openSocket(target)
  socket.write(`GET /api/v1/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n\r\n`)
  const [begin] = await once(socket, 'data')
  const text = String(begin)
  return { socket, status: Number(text.slice(9, 12)), text }
}

async function makeKey(): Promise<string> {
  const { text } = await ask(target, 'POST', '/api/v1/keys', { name: 'Streams', scopes: ['events:read'] })
  return JSON.parse(text).key.secret
}

async function countStreams(): Promise<number> {
  const { text } = await ask(target, 'GET', '/metrics')
  return Number(/^waybill_streams (\d+)/m.exec(text)?.[1])
}

const mostOfOneKey = 200
/** All come from one address, which may have 2,000 connections. */
const keyCount = isLong ? 9 : 3

test('the number of streams per key is limited, and thousands of them delay no one', async (t) => {
  const keys = await repeat(keyCount, makeKey)
  const sockets: Socket[] = []
  await endure(t, target, async (isOver) => {
    for (const key of keys) {
      const opened = await repeat(mostOfOneKey, () => openStream(key))
      assert.deepEqual([...new Set(opened.map(({ status }) => status))], [200])
      sockets.push(...opened.map(({ socket }) => socket))
    }
    const { status, text, socket } = await openStream(keys[0] as string)
    socket.destroy()
    assert.equal(status, 429)
    assert.match(text, /RATE_LIMITED.*200 streams/s)
    assert.equal(await countStreams(), keyCount * mostOfOneKey)

    // Every third one stops reading.
    for (const [index, socket] of sockets.entries()) index % 3 === 0 ? socket.pause() : socket.resume()
    do {
      const tasks = Array.from({ length: 20 }, () => aTask({ details: 'y'.repeat(5_000) }))
      await ask(target, 'POST', '/api/v1/tasks/bulkCreate', { tasks })
      await sleep(500)
    } while (!isOver())
    for (const socket of sockets) socket.destroy()
  })
  await until('the streams to be gone', async () => (await countStreams()) === 0)
  const { status, socket } = await openStream(keys[0] as string)
  socket.destroy()
  assert.equal(status, 200, 'closing streams makes room for new ones')
})
