import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeDriver } from '../test/factories.ts'
import { request, startServer, type TestServer } from '../test/server.ts'

/** The start of every link that a response can contain, for a request with these headers. */
async function linksBy(server: TestServer, headers: Record<string, string>) {
  const driver = await makeDriver(server)
  const { key } = server
  const ask = async (path: string, body: object = {}) =>
    (await request(server.url, 'POST', `/api/v1${path}`, { key, body, headers })).body
  const { person, link } = await ask('/people', { email: `${crypto.randomUUID()}@example.org` })
  const links = [link, (await ask(`/people/${person.id}/link`)).link, (await ask(`/drivers/${driver.id}/invite`)).link]
  return [...new Set(links.map((one: string) => one.replace(/\/(welcome|driver)#.+$/, '')))]
}

test('a link has the address the request was sent to, and never 0.0.0.0', async (t) => {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  assert.deepEqual(await linksBy(server, {}), [server.url])
  const proxied = { 'x-forwarded-host': 'dispatch.example.com', 'x-forwarded-proto': 'https' }
  assert.deepEqual(await linksBy(server, proxied), ['https://dispatch.example.com'])
  assert.deepEqual(await linksBy(server, { 'x-forwarded-host': '0.0.0.0:4000' }), ['http://127.0.0.1:4000'])
})

test('a link has the public address, if there is one', async (t) => {
  const server = await startServer(t, { WAYBILL_PUBLIC_URL: 'https://waybill.example.com' })
  assert.deepEqual(await linksBy(server, {}), ['https://waybill.example.com'])
})
