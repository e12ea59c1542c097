import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aTask, makeDriver } from '../factories.ts'
import { makeNoise } from '../pictures.ts'
import { request } from '../server.ts'
import { addOrganisation, ask, endure, isLong, openSocket, repeat, startTarget, type Target } from './target.ts'

/* Many read one proof link, while another organisation prints its own. */

let target: Target
before(async () => {
  target = await startTarget()
})

/** The numbers of tasks that have ended, each with photos that are hard to make small. */
async function makeProofs({ url, key }: Target, tasks: number, photos: number) {
  const call = async (method: string, path: string, options: object) => {
    const reply = await request(url, method, `/api/v1${path}`, { key, ...options })
    assert.equal(reply.status, 200, reply.text.slice(0, 300))
    return reply
  }
  const driver = await makeDriver({ post: (path, body) => call('POST', path, { body }) })
  const awbs = Array.from({ length: tasks }, () => randomUUID())
  for (const awb of awbs) {
    await call('POST', '/tasks', { body: aTask({ awb, userId: driver.id }) })
    for (let sent = 0; sent < photos; sent += 1) {
      const headers = { 'content-type': 'image/png' }
      const { file } = (await call('POST', '/files', { raw: makeNoise(400, 300), headers })).body
      await call('POST', `/tasks/awb/${awb}/notes`, { body: { fileId: file.id } })
    }
    await call('PUT', `/tasks/awb/${awb}/forceComplete`, { body: {} })
  }
  return awbs
}

/** Another name at the head of every paper: none that was made before is the same. */
const rename = (of: Target) => ask(of, 'PUT', '/api/v1/company', { name: randomUUID() })

const languages = ['en', 'ro']

test('many readers of one proof link stop nobody else’s PDF', async (t) => {
  const awbs = await makeProofs(target, isLong ? 8 : 2, isLong ? 6 : 2)
  const { text } = await ask(target, 'POST', '/api/v1/proofLinks', { awbs })
  const path = new URL(JSON.parse(text).proofLink.link).pathname
  const other = await addOrganisation(target)
  const [own] = await makeProofs(other, 1, 2)

  const answers = new Map<number, number>()
  const printedMs: number[] = []
  await endure(t, target, async (isOver) => {
    const read = async (reader: number) => {
      for (let turn = reader; !isOver(); turn += 1) {
        const file = turn % 5 === 0 ? path : `${path}/proof.pdf?language=${languages[turn % 2]}`
        // On a busy machine some wait in vain: they are not the ones this is about.
        const { status } = await ask(target, 'GET', file).catch(() => ({ status: 503 }))
        answers.set(status, (answers.get(status) ?? 0) + 1)
      }
    }
    /** Some leave at once, the others never read what they asked for. */
    const annoy = async (reader: number) => {
      while (!isOver()) {
        const socket = await openSocket(target)
        socket.write(`GET ${path}/proof.pdf?language=${languages[reader % 2]} HTTP/1.1\r\nHost: x\r\n\r\n`)
        socket.pause()
        await sleep(reader % 2 === 0 ? 20 : 2_000)
        socket.destroy()
      }
    }
    const change = async () => {
      while (!isOver()) {
        await rename(target)
        await sleep(500)
      }
    }
    const print = async () => {
      do {
        await rename(other)
        const begun = performance.now()
        const { status } = await ask(other, 'GET', `/api/v1/proofs.pdf?awbs=${own}`)
        assert.equal(status, 200)
        printedMs.push(performance.now() - begun)
      } while (!isOver())
    }
    await Promise.all([repeat(isLong ? 40 : 20, read), repeat(isLong ? 16 : 8, annoy), change(), print()])
  })
  const longestMs = Math.max(...printedMs)
  t.diagnostic(
    `${printedMs.length} PDF files of another organisation, at most ${longestMs.toFixed(0)} ms each; ` +
      `readers got ${[...answers].map(([status, count]) => `${status}: ${count}`).join(', ')}`,
  )
  assert.deepEqual(
    [...answers.keys()].filter((status) => ![200, 429, 503].includes(status)),
    [],
  )
  assert.ok(printedMs.length > 0)
})
