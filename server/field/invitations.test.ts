import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '../db/sql.ts'
import { makeDriver } from '../test/factories.ts'
import { request, startServer } from '../test/server.ts'

/** A driver who was invited, and ways to answer the invitation from any address. */
async function anInvitation(t: TestContext) {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  const driver = await makeDriver(server)
  const invite = async () => (await server.post(`/drivers/${driver.id}/invite`)).body
  const login = (body: object, address = '203.0.113.1') =>
    request(server.url, 'POST', '/api/v1/driver/login', { body, headers: { 'x-forwarded-for': address } })
  const { code, link, expiresAt } = await invite()
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  const tryCode = async (given: string, address?: string) =>
    (await login({ phone: driver.phone, code: given }, address)).status
  return { server, driver, invite, login, tryCode, code, wrong, link, expiresAt, secret: link.split('#')[1] as string }
}

test('a driver signs in by the link alone, once', async (t) => {
  const { login, driver, secret, link, tryCode, code } = await anInvitation(t)
  assert.match(link, /^http:\/\/[^/]+\/driver#[\w-]{22}$/)
  assert.ok(!link.includes(code))
  const { status, body } = await login({ secret })
  assert.deepEqual([status, body.user.id, body.token.slice(0, 4)], [200, driver.id, 'wbd_'])
  assert.equal((await login({ secret })).status, 401)
  assert.equal(await tryCode(code), 401, 'the code went with it')
})

test('whose link it is can be asked without using it, and is a secret like the link', async (t) => {
  const { server, login, driver, secret } = await anInvitation(t)
  const ask = (given: string) => request(server.url, 'POST', '/api/v1/driver/link', { body: { secret: given } })
  for (const _ of ['first', 'again'])
    assert.deepEqual((await ask(secret)).body, { success: true, user: { id: driver.id, name: driver.name } })
  assert.equal((await ask('another')).status, 401)
  assert.equal((await login({ secret })).status, 200)
  assert.equal((await ask(secret)).body.error.code, 'UNAUTHORIZED')
})

test('strangers who know the phone end neither the link nor the code of the driver', async (t) => {
  const { login, tryCode, code, wrong, secret } = await anInvitation(t)
  for (let tries = 0; tries < 5; tries += 1) assert.equal(await tryCode(wrong, '203.0.113.9'), 401)
  assert.equal(await tryCode(code, '203.0.113.9'), 401, 'an address has five tries')
  assert.equal(await tryCode(code, '203.0.113.1'), 200)
  assert.equal((await login({ secret })).status, 401, 'the link went with it')
})

test('the code ends after fifty wrong ones in all; the link goes on', async (t) => {
  const { login, tryCode, code, wrong, secret } = await anInvitation(t)
  for (let stranger = 1; stranger <= 10; stranger += 1)
    for (let tries = 0; tries < 6; tries += 1) await tryCode(wrong, `198.51.100.${stranger}`)
  assert.equal(await tryCode(code), 401)
  assert.equal((await login({ secret })).status, 200)
})

test('the addresses of one IPv6 network share their tries', async (t) => {
  const { tryCode, code, wrong } = await anInvitation(t)
  for (let tries = 1; tries <= 5; tries += 1) await tryCode(wrong, `2001:db8:0:7::${tries}`)
  assert.equal(await tryCode(code, '2001:db8:0:7::99'), 401)
  assert.equal(await tryCode(code, '2001:db8:0:8::1'), 200)
})

test('an invitation ends with the next one, after 15 minutes, and with the driver', async (t) => {
  const { server, driver, invite, login, secret, expiresAt } = await anInvitation(t)
  const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000
  assert.ok(minutes > 10 && minutes <= 15.5, `${minutes}`)
  const secretIn = ({ link }: { link: string }) => link.split('#')[1]
  const second = await invite()
  assert.equal((await login({ secret })).status, 401)
  await server.database.everyone.run(sql`update invitations set expires_at = now() where user_id = ${driver.id}`)
  assert.equal((await login({ secret: secretIn(second) })).status, 401)
  const third = await invite()
  await server.delete(`/drivers/${driver.id}`)
  assert.equal((await login({ secret: secretIn(third) })).status, 401)
})

test('what a sign-in lacks is named', async (t) => {
  const { login, driver } = await anInvitation(t)
  for (const [body, field] of [
    [{}, 'phone'],
    [{ phone: driver.phone }, 'code'],
    [{ code: '123456' }, 'phone'],
  ] as const) {
    const { status, body: told } = await login(body)
    assert.deepEqual([status, told.error.code, told.error.field], [400, 'VALIDATION_FAILED', field])
  }
})

const tryOfPhone = 'a try of this phone'

test('a phone whose answer was lost signs in again by the same link or code, and nobody else does', async (t) => {
  const { server, driver, invite, login, secret } = await anInvitation(t)
  const { code, link } = await invite()
  const byLink = { secret: link.split('#')[1] as string }
  const byCode = { phone: driver.phone, code }
  const read = async (token: string) =>
    (await request(server.url, 'GET', '/api/v1/driver/tasks', { headers: { authorization: token } })).status
  const devices = async () => (await server.get(`/drivers/${driver.id}/devices`)).body.devices.length

  const { token: lost } = (await login({ ...byLink, tryId: tryOfPhone })).body
  const again = await login({ ...byLink, tryId: tryOfPhone })
  assert.deepEqual([again.status, again.body.user.id], [200, driver.id])
  assert.deepEqual([await read(lost), await read(again.body.token), await devices()], [401, 200, 1])
  const last = await login({ ...byCode, tryId: tryOfPhone })
  assert.deepEqual([last.status, await read(last.body.token), await devices()], [200, 200, 1])
  for (const other of [{}, { tryId: 'a try of another phone' }])
    for (const given of [byLink, byCode]) assert.equal((await login({ ...given, ...other })).status, 401)
  assert.equal((await request(server.url, 'POST', '/api/v1/driver/link', { body: byLink })).status, 401)
  assert.equal((await login({ secret, tryId: tryOfPhone })).status, 401, 'an earlier invitation')
  assert.equal((await login({ ...byLink, tryId: 'short' })).body.error.field, 'tryId')

  await request(server.url, 'DELETE', '/api/v1/driver/session', { headers: { authorization: last.body.token } })
  assert.equal((await login({ ...byLink, tryId: tryOfPhone })).status, 401, 'it signed out')
})

test('a try can be repeated as long as the invitation lasts', async (t) => {
  const { server, driver, login, secret } = await anInvitation(t)
  assert.equal((await login({ secret, tryId: tryOfPhone })).status, 200)
  await server.database.everyone.run(sql`update invitations set expires_at = now() where user_id = ${driver.id}`)
  assert.equal((await login({ secret, tryId: tryOfPhone })).status, 401)
})
