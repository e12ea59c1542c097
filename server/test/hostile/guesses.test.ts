import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { before, test } from 'node:test'
import { ask, endure, isLong, repeat, startTarget, type Target } from './target.ts'

/* Strangers in thousands of networks guess passwords, links and keys, while people sign in. */

let target: Target
before(async () => {
  target = await startTarget()
})

/** Loopback has 16 million addresses, so 65,000 networks. */
const aNetwork = () => `127.${randomInt(1, 255)}.${randomInt(255)}.1`
const home = '127.0.0.1'

interface Sent {
  from: string
  body?: object
  headers?: Record<string, string>
}

async function send(method: string, path: string, { from, body, headers = {} }: Sent) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; cookie: string }>()
  const outgoing = request(
    target.url + path,
    {
      method,
      localAddress: from,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      signal: AbortSignal.timeout(30_000),
    },
    (response) => {
      const cookies = response.headers['set-cookie'] ?? []
      const cookie = cookies.map((one) => one.split(';')[0]).find((one) => one?.startsWith('waybill-device='))
      response.resume()
      response.once('end', () => resolve({ status: response.statusCode as number, cookie: cookie ?? '' }))
    },
  )
  outgoing.on('error', reject)
  outgoing.end(body && JSON.stringify(body))
  return promise
}

test('a flood of wrong passwords, links and keys keeps nobody out', async (t) => {
  const email = `${randomUUID()}@example.org`
  const password = 'correct horse battery'
  const invited = JSON.parse((await ask(target, 'POST', '/api/v1/people', { email })).text)
  const token = invited.link.split('#')[1]
  const chosen = await send('POST', '/api/v1/session/password', { from: home, body: { token, password } })
  assert.equal(chosen.status, 200)

  const told = new Map<number, number>()
  const guesses = [
    () => send('POST', '/api/v1/session', { from: aNetwork(), body: { email, password: randomUUID() } }),
    () => send('POST', '/api/v1/session', { from: aNetwork(), body: { email: randomUUID(), password: randomUUID() } }),
    () => send('POST', '/api/v1/session', { from: home, body: { email, password: randomUUID() } }),
    () => send('GET', `/t/${randomUUID()}`, { from: home }),
    () => send('GET', '/api/v1/tasks', { from: aNetwork(), headers: { authorization: randomUUID() } }),
  ]
  let signedIn = 0
  await endure(t, target, async (isOver) => {
    const guess = async (turn: number) => {
      for (let made = turn; !isOver(); made += 1) {
        const { status } = await (guesses[made % guesses.length] as (typeof guesses)[number])()
        told.set(status, (told.get(status) ?? 0) + 1)
      }
    }
    const work = async () => {
      do {
        // From a network that is new each time, on a device that is not.
        const sent = { from: aNetwork(), body: { email, password }, headers: { cookie: chosen.cookie } }
        assert.equal((await send('POST', '/api/v1/session', sent)).status, 200)
        signedIn += 1
      } while (!isOver())
    }
    await Promise.all([repeat(isLong ? 150 : 60, guess), work()])
  })
  t.diagnostic(`${signedIn} times signed in; guesses: ${JSON.stringify([...told])}`)
  assert.deepEqual(
    [...told.keys()].filter((status) => ![401, 404, 429, 503].includes(status)),
    [],
  )
})
