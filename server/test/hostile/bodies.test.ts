import { once } from 'node:events'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { endure, isLong, openSocket, repeat, startTarget, type Target } from './target.ts'

/* Bodies that arrive slowly, never end, or come from an unknown sender. */

let target: Target
before(async () => {
  target = await startTarget()
})

const length = 1_900_000
const filler = Buffer.alloc(256 * 1024, 'x')

/** Sends a body up to its last byte, which never comes, and begins again when it is cut off. */
async function sendSlowly(path: string, credential: string, isOver: () => boolean, bytesASecond: number) {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`
  while (!isOver()) {
    const socket = await openSocket(target)
    socket.resume()
    socket.write(`${head}${credential}\r\n{"awb":"`)
    for (let sent = 8; !isOver() && !socket.destroyed; ) {
      const chunk = filler.subarray(0, Math.min(filler.length, bytesASecond / 10, length - 1 - sent))
      sent += chunk.length
      if (chunk.length > 0) socket.write(chunk)
      await sleep(100)
    }
    socket.destroy()
  }
}

test('a body sent without a key is not kept', async (t) => {
  await endure(t, target, (isOver) =>
    repeat(isLong ? 400 : 150, () => sendSlowly('/api/v1/tasks', '', isOver, 10_000_000)).then(() => {}),
  )
})

test('slow bodies sent with a key are bounded in total', async (t) => {
  const credential = `Authorization: ${target.key}\r\n`
  await endure(t, target, (isOver) =>
    repeat(isLong ? 200 : 80, () => sendSlowly('/api/v1/tasks', credential, isOver, 10_000_000)).then(() => {}),
  )
})

test('sign-in accepts only small bodies', async (t) => {
  await endure(t, target, (isOver) =>
    repeat(isLong ? 400 : 100, () => sendSlowly('/api/v1/session', '', isOver, 10_000_000)).then(() => {}),
  )
})

test('abandoned headers and bodies do no harm', async (t) => {
  await endure(t, target, (isOver) =>
    repeat(isLong ? 200 : 50, async (index) => {
      while (!isOver()) {
        const socket = await openSocket(target)
        const credential = index % 2 ? `Authorization: ${target.key}\r\n` : ''
        const head = `POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\n${credential}Content-Length: ${length}\r\n`
        socket.write(index % 3 ? `${head}\r\n${'{"a":'.repeat(5_000)}` : head)
        await sleep(200)
        if (index % 5) socket.destroy()
        else socket.resetAndDestroy()
      }
    }).then(() => {}),
  )
})

/** A body in chunks of one byte: six bytes on the wire for each, and a call for each in the server. */
const oneByteChunks = `${'1\r\nx\r\n'.repeat(16_000)}0\r\n\r\n`

test('bodies in chunks of one byte do no harm, with a key or without', async (t) => {
  const heads = ['/api/v1/session', '/api/v1/tasks', '/api/v1/tasks'].map(
    (path, index) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n` +
      `${index === 2 ? `Authorization: ${target.key}\r\n` : ''}\r\n`,
  )
  await endure(t, target, (isOver) =>
    repeat(isLong ? 200 : 100, async (index) => {
      while (!isOver()) {
        const socket = await openSocket(target)
        socket.resume()
        socket.write(`${heads[index % heads.length]}${oneByteChunks}`)
        await Promise.race([once(socket, 'data'), once(socket, 'close'), sleep(5_000)])
        socket.destroy()
      }
    }).then(() => {}),
  )
})
