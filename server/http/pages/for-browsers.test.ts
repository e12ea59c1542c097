import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import { operations } from '../../../contract/operations.ts'
import { createLog } from '../../log.ts'
import { sendRefusal } from '../errors.ts'
import { forBrowsers } from './for-browsers.ts'

const log = createLog('silent', process.stderr)

test('people who cannot get a PDF now are told so on a page, programs by a code, and both when to come back', async () => {
  const app = Fastify()
  const refuse = async () => {
    throw new Refusal('OVERLOADED', { retryAfterSeconds: 5 })
  }
  app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply, log))
  app.get('/', forBrowsers(operations.getLinkedProofs, log, refuse))
  const get = (accept: string) => app.inject({ url: '/', headers: { accept, 'accept-language': 'ro' } })

  const page = await get('text/html,application/xhtml+xml,*/*;q=0.8')
  assert.deepEqual([page.statusCode, page.headers['retry-after']], [503, '5'])
  assert.match(page.body, /<h1>Încearcă din nou<\/h1><p>Acum sunt prea multe cereri/)
  const answer = await get('*/*')
  assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '5'])
  assert.equal(answer.json().error.code, 'OVERLOADED')
})
