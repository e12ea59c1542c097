import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../config.ts'
import { createLog } from '../../log.ts'
import { createMetrics } from '../../metrics.ts'
import { request, startServer } from '../../test/server.ts'
import { listenForMetrics } from './metrics.ts'

const own = /waybill_request_seconds/
const publicUrl = { WAYBILL_PUBLIC_URL: 'https://waybill.example' }
const ask = (url: string, headers: Record<string, string> = {}) => request(url, 'GET', '/metrics', { headers })

test('on a public server nobody can read the metrics unless the operator says who', async (t) => {
  const { url } = await startServer(t, { ...publicUrl, WAYBILL_TRUST_PROXY: 'true' })
  // The answer to any address that does not exist, whoever seems to ask.
  const nothing = await request(url, 'GET', '/nothing-here')
  for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }, { host: 'localhost' }]) {
    const { status, body } = await ask(url, headers)
    assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
    assert.equal(body.error.message, nothing.body.error.message)
  }
})

test('with a token the metrics are for those who have it', async (t) => {
  const { url, key } = await startServer(t, { ...publicUrl, WAYBILL_METRICS: 'token:what-only-prometheus-knows' })
  assert.match((await ask(url, { authorization: 'Bearer what-only-prometheus-knows' })).body, own)
  for (const authorization of ['Bearer what-only-prometheus-know', 'Bearer ', key, undefined]) {
    const { status, body } = await ask(url, authorization === undefined ? {} : { authorization })
    assert.deepEqual([status, body.error.code], [401, 'UNAUTHORIZED'], `with ${authorization}`)
  }
})

test('with an address of their own the metrics are there, and nothing else is', async (t) => {
  const config = readConfig({ ...publicUrl, WAYBILL_METRICS: '127.0.0.1:0' })
  const listener = await listenForMetrics({ config, metrics: createMetrics(), log: createLog('silent') })
  assert.ok(listener)
  t.after(listener.close)
  assert.match(await (await fetch(listener.url)).text(), own)
  for (const path of ['/', '/health', '/metrics/more', '/api/v1/tasks'])
    assert.equal((await fetch(new URL(path, listener.url))).status, 404, path)
  assert.equal((await fetch(listener.url, { method: 'POST' })).status, 404)

  const taken = readConfig({ WAYBILL_METRICS: new URL(listener.url).host })
  await assert.rejects(
    listenForMetrics({ config: taken, metrics: createMetrics(), log: createLog('silent') }),
    (error) =>
      error instanceof ConfigError && /^WAYBILL_METRICS must be .* a free port; 127\.0\.0\.1, port/.test(error.message),
  )

  const server = await startServer(t, { WAYBILL_METRICS: '127.0.0.1:0' })
  assert.equal((await ask(server.url)).status, 404, 'not where everybody else is served')
})
