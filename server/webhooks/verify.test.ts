import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Refusal } from '../../contract/errors.ts'
import { createOutside } from '../outside/fetch.ts'
import { answer, echo, hang, huge, redirect, reset, startReceiver } from '../test/receiver.ts'
import { type VerifyMode, verifyUrl } from './verify.ts'

async function start(t: TestContext, { loopback = true } = {}) {
  const receiver = await startReceiver(t)
  const lookup = async (hostname: string) => {
    if (hostname === 'inside.example') return [{ address: '127.0.0.1' }]
    throw new Error('There is no such name')
  }
  const outside = createOutside({ allow: [], loopback }, { lookup })
  t.after(outside.close)
  return { receiver, outside, verify: (mode: VerifyMode, url = receiver.url) => verifyUrl(outside, mode, url) }
}

function refusal(code: string, ...parts: RegExp[]) {
  return (error: unknown) => {
    assert(error instanceof Refusal)
    assert.deepEqual([error.code, error.status, error.field], [code, 400, 'url'])
    for (const part of parts) assert.match(error.message, part)
    return true
  }
}

test('a receiver that returns the token is verified by echo, in both modes', async (t) => {
  const { receiver, verify } = await start(t)
  receiver.onCheck(echo)
  assert.equal(await verify('reachable'), 'echo')
  assert.equal(await verify('echo'), 'echo')
})

test('the check is a GET with 32 random hex digits, added to the query that is there', async (t) => {
  const { receiver, verify } = await start(t)
  await verify('reachable', `${receiver.url}?key=a%20b+c&key=%C8%99#part`)
  await verify('reachable')
  const [first, second] = receiver.checks
  assert.equal(first?.method, 'GET')
  assert.match(first.url, /^\/hook\?key=a%20b\+c&key=%C8%99&check=[0-9a-f]{32}$/)
  assert.match(second?.url ?? '', /^\/hook\?check=[0-9a-f]{32}$/)
  assert.notEqual(first.url.slice(-32), second?.url.slice(-32))
})

for (const status of [200, 204, 400, 401, 404, 405, 500]) {
  test(`a receiver that answers ${status} to the check is reachable`, async (t) => {
    const { receiver, verify } = await start(t)
    receiver.onCheck(answer(status))
    assert.equal(await verify('reachable'), 'reachable')
  })
}

test('a receiver with a very long answer is reachable', async (t) => {
  const { receiver, verify } = await start(t)
  receiver.onCheck(huge(200_000))
  assert.equal(await verify('reachable'), 'reachable')
})

test('if the token is required, any other answer is refused and shown', async (t) => {
  const { receiver, verify } = await start(t)
  receiver.onCheck(answer(200, { body: 'Hello' }))
  await assert.rejects(
    verify('echo'),
    refusal(
      'WEBHOOK_URL_NOT_VERIFIED',
      /200 with the body "Hello"/,
      /exactly the value of the query parameter "check"/,
    ),
  )
})

test('if the token is required, it counts only with status 200', async (t) => {
  const { receiver, verify } = await start(t)
  receiver.onCheck((request, response) => answer(404, { body: request.url.slice(-32) })(request, response))
  await assert.rejects(verify('echo'), refusal('WEBHOOK_URL_NOT_VERIFIED', /answered 404/))
})

test('if the token is required, a very large answer is refused', async (t) => {
  const { receiver, verify } = await start(t)
  receiver.onCheck(huge(200_000))
  await assert.rejects(verify('echo'), refusal('WEBHOOK_URL_NOT_VERIFIED', /very large body/))
})

for (const mode of ['reachable', 'echo'] as const) {
  test(`a redirect is refused with the url it leads to, and not followed (${mode})`, async (t) => {
    const { receiver, verify } = await start(t)
    const elsewhere = await startReceiver(t)
    receiver.onCheck((request, response) => {
      redirect(elsewhere.url + new URL(request.url, elsewhere.url).search, 308)(request, response)
    })
    await assert.rejects(
      verify(mode),
      refusal('WEBHOOK_URL_NOT_VERIFIED', /308, a redirect to/, new RegExp(`${elsewhere.url};`)),
    )
    assert.equal(elsewhere.connections, 0)
  })
}

test('a url where nothing listens is refused', async (t) => {
  const { receiver, verify } = await start(t)
  await receiver.close()
  await assert.rejects(
    verify('reachable'),
    refusal(
      'WEBHOOK_URL_NOT_VERIFIED',
      new RegExp(`127.0.0.1:${receiver.port} refused the connection`),
      /it must answer/,
    ),
  )
})

test('a receiver that hangs up is refused', async (t) => {
  const { receiver, verify } = await start(t)
  receiver.onCheck(reset)
  await assert.rejects(verify('reachable'), refusal('WEBHOOK_URL_NOT_VERIFIED', /closed the connection/))
})

test('a receiver that takes too long is refused', async (t) => {
  const { receiver, outside } = await start(t)
  receiver.onCheck(hang)
  await assert.rejects(
    verifyUrl(outside, 'reachable', receiver.url, 150),
    refusal('WEBHOOK_URL_NOT_VERIFIED', /did not answer within 0\.15 s/),
  )
})

test('a name that does not exist is refused', async (t) => {
  const { verify } = await start(t)
  await assert.rejects(
    verify('reachable', 'https://nowhere.example/hook'),
    refusal('WEBHOOK_URL_NOT_VERIFIED', /nowhere\.example cannot be resolved/),
  )
})

for (const mode of ['reachable', 'echo', 'off'] as const) {
  test(`an address in our own network is refused without calling it (${mode})`, async (t) => {
    const { receiver, verify } = await start(t, { loopback: false })
    await assert.rejects(
      verify(mode),
      refusal('WEBHOOK_URL_FORBIDDEN', /127\.0\.0\.1 is a loopback address/, /WAYBILL_WEBHOOK_ALLOW/),
    )
    assert.equal(receiver.connections, 0)
  })

  test(`an impossible webhook url is refused with the reason (${mode})`, async (t) => {
    const { verify } = await start(t)
    const refused = (url: string, reason: RegExp) =>
      assert.rejects(verify(mode, url), refusal('VALIDATION_FAILED', reason))
    await refused('example.com/hook', /not a complete URL/)
    await refused('ftp://example.com/hook', /must start with https:/)
    await refused('https://me:secret@example.com/hook', /must not contain a user name or password/)
    await refused(`https://example.com/${'x'.repeat(2048)}`, /longer than 2048 characters/)
  })
}

test('a name that leads into our own network is refused, without revealing its address', async (t) => {
  const { receiver, verify } = await start(t, { loopback: false })
  await assert.rejects(verify('reachable', `http://inside.example:${receiver.port}/hook`), (error: Error) => {
    assert.doesNotMatch(error.message, /127\.0\.0\.1/)
    return refusal('WEBHOOK_URL_FORBIDDEN', /inside\.example leads to a loopback address/)(error)
  })
  assert.equal(receiver.connections, 0)
})

test('with verification off nothing is called', async (t) => {
  const { receiver, verify } = await start(t)
  assert.equal(await verify('off'), 'off')
  assert.equal(receiver.connections, 0)
})
