import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request as ask } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import type { Refusal } from '../../../contract/errors.ts'
import { pictureUpload } from '../../../contract/file.ts'
import { until } from '../../test/until.ts'
import { leaveUnread } from './body.ts'
import { createUploadReader, type KeptPicture, type SentBytes } from './upload.ts'

/** A server that takes uploads within these limits and reports the result of each. */
async function anUpload(t: TestContext, limits: Partial<typeof pictureUpload>) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-upload-'))
  t.after(() => rm(folder, { recursive: true }))
  const closing = new AbortController()
  const kept: string[] = []
  const keep = async (_: number, { path }: SentBytes) => {
    kept.push(await readFile(path, 'utf8'))
    return {} as KeptPicture
  }
  const read = createUploadReader(folder, keep, closing.signal)
  const app = Fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', leaveUnread)
  const actor = { type: 'DRIVER', id: 1, name: 'Ana' } as const
  app.put('/', (request, reply) => read(request, reply, actor, 1, { ...pictureUpload, ...limits }))
  app.setErrorHandler((error, _, reply) => reply.code((error as Refusal).status).send((error as Refusal).code))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => app.close())
  /** Sends something and waits for the answer before the end. */
  const begin = (text: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const outgoing = ask(url, { method: 'PUT', headers: { 'content-type': 'image/jpeg' } })
    outgoing.on('response', async (response) => {
      resolve(String(Buffer.concat(await response.toArray())))
      outgoing.destroy()
    })
    outgoing.on('error', reject)
    outgoing.write(text)
    return { answer: promise, outgoing }
  }
  const left = async () => (await readdir(folder)).length
  return { begin, closing, kept, left }
}

test('an upload that takes too long is refused, and nothing of it is kept', async (t) => {
  const { begin, kept, left } = await anUpload(t, { withinMs: 300 })
  assert.equal(await begin('half').answer, 'REQUEST_TIMEOUT')
  assert.deepEqual([kept, await left()], [[], 0])
})

test('an upload that turns out too large is refused before it has arrived completely', async (t) => {
  const { begin, left } = await anUpload(t, { mostBytes: 10 })
  assert.equal(await begin('far more than that').answer, 'PAYLOAD_TOO_LARGE')
  assert.equal(await left(), 0)
})

test('a running upload does not keep a server from stopping', async (t) => {
  const { begin, closing, left } = await anUpload(t, {})
  const { answer } = begin('half')
  await until('it to be on its way', async () => (await left()) === 1)
  closing.abort()
  assert.equal(await answer, 'OVERLOADED')
  assert.equal(await begin('another').answer, 'OVERLOADED')
  assert.equal(await left(), 0)
})

test('an interrupted upload leaves nothing behind, a finished one is complete', async (t) => {
  const { begin, kept, left } = await anUpload(t, {})
  const { answer: lost, outgoing: cut } = begin('half')
  await until('it to be on its way', async () => (await left()) === 1)
  cut.destroy()
  await assert.rejects(lost)
  await until('it to be forgotten', async () => (await left()) === 0)
  const { answer, outgoing } = begin('all ')
  outgoing.end('of it')
  await answer
  assert.deepEqual([kept, await left()], [['all of it'], 0])
})
