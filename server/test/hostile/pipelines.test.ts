import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { endure, isLong, openSocket, repeat, startTarget, type Target } from './target.ts'

/* Thousands of requests on a connection whose answers are not read. */

let target: Target
before(async () => {
  target = await startTarget()
})

const paths = [
  '/openapi.json',
  '/docs',
  '/docs/swagger-ui-bundle.js',
  '/',
  '/console.json',
  '/metrics',
  '/none',
  '/api/v1/tasks',
  '/api/v1/tasks?limit=1000',
  '/api/v1/events?limit=1000',
]

/** Writes this many requests, reads nothing, and starts again. */
async function pipeline(path: string, count: number, isOver: () => boolean) {
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${target.key}\r\n\r\n`
  while (!isOver()) {
    const socket = await openSocket(target)
    socket.pause()
    socket.write(request.repeat(count))
    await sleep(300)
    socket.destroy()
    await sleep(50)
  }
}

test('a client that sends requests and does not read the answers harms nobody', async (t) => {
  await endure(t, target, async (isOver) => {
    await repeat(isLong ? 80 : 24, (index) => pipeline(paths[index % paths.length]!, 1_500, isOver))
  })
})

test('nor does a client that stays below the limit of one connection', async (t) => {
  await endure(t, target, async (isOver) => {
    await repeat(isLong ? 400 : 100, (index) => pipeline(paths[index % paths.length]!, 30, isOver))
  })
})

test('requests whose sender has disconnected are not executed', async (t) => {
  await endure(t, target, async (isOver) => {
    await repeat(8, async () => {
      while (!isOver()) {
        const socket = await openSocket(target)
        socket.write(
          `GET /api/v1/tasks?limit=1000 HTTP/1.1\r\nHost: x\r\nAuthorization: ${target.key}\r\n\r\n`.repeat(20),
        )
        await sleep(20)
        socket.resetAndDestroy()
      }
    })
  })
})
