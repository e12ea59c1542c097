import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageBytes } from '../../../contract/limits.ts'
import { makeDriver } from '../../test/factories.ts'
import { startReceiver } from '../../test/receiver.ts'
import { startServer } from '../../test/server.ts'
import { decodeCursor, isId, pageInSlices } from './cursor.ts'

type Listed = Record<string, unknown>
/** The use of a key is noted a moment later, maybe between two pages. */
const withoutUse = ({ lastUsedAt: _, ...listed }: Listed) => listed

test('every list can be read in pages, and is complete without a limit', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  for (let number = 1; number <= 3; number += 1) {
    await makeDriver(server) // with a team of their own
    await server.post('/hubs', { name: `Hub ${number}`, lat: 44.4, lng: 26.1 })
    await server.post('/webHooks', { url: receiver.url, trigger: number })
    await server.post('/keys', { name: `Key ${number}` })
    await server.post('/people', { name: `Person ${number}`, email: `p${number}@${server.organisationId}.example` })
  }
  const lists = { teams: 'teams', hubs: 'hubs', webHooks: 'webHooks', keys: 'keys', people: 'people', drivers: 'users' }
  for (const [path, member] of Object.entries(lists)) {
    const whole = (await server.get(`/${path}`)).body
    assert.ok(whole[member].length >= 3, path)
    assert.equal(whole.nextCursor, undefined, path)
    const read: Listed[] = []
    let query = '?limit=2'
    for (let pages = 0; query && pages < 10; pages += 1) {
      const { body } = await server.get(`/${path}${query}`)
      assert.ok(body[member].length <= 2, path)
      read.push(...body[member])
      query = body.nextCursor && `?limit=2&cursor=${body.nextCursor}`
    }
    assert.deepEqual(read.map(withoutUse), whole[member].map(withoutUse), path)
    for (const [wrong, field] of [
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['cursor=nonsense', 'cursor'],
    ]) {
      const { status, body } = await server.get(`/${path}?${wrong}`)
      assert.deepEqual([status, body.error?.field], [400, field], `${path}?${wrong}`)
    }
  }
})

test('a page of large items ends with the one that exceeds its size, and the next begins after it', async () => {
  const size = pageBytes / 10
  const rows = Array.from({ length: 45 }, (_, index) => ({ id: index + 1, text: 'x'.repeat(size) }))
  let mostRead = 0
  const list = async (afterId: number, limit: number) => {
    const found = rows.filter(({ id }) => id > afterId).slice(0, limit)
    mostRead = Math.max(mostRead, found.length)
    return found
  }
  const pages: number[][] = []
  for (let place = 0, isLast = false; !isLast; ) {
    const { page, nextCursor } = await pageInSlices(
      place,
      1_000,
      4,
      list,
      ({ id }) => id,
      (found) => found,
    )
    pages.push(page.map(({ id }) => id))
    isLast = nextCursor === undefined
    place = decodeCursor(nextCursor, 0, isId)
  }
  assert.deepEqual(
    pages.flat(),
    rows.map(({ id }) => id),
    'nothing is skipped or repeated',
  )
  assert.deepEqual(
    pages.map(({ length }) => length),
    [10, 10, 10, 10, 5],
  )
  assert.equal(mostRead, 5, 'a slice and one more')
  const { page } = await pageInSlices(
    0,
    3,
    4,
    list,
    ({ id }) => id,
    (found) => found,
  )
  assert.equal(page.length, 3)
  const huge = [
    { id: 1, text: 'x'.repeat(pageBytes + 1) },
    { id: 2, text: '' },
  ]
  const first = await pageInSlices(
    0,
    10,
    4,
    async (afterId) => huge.filter(({ id }) => id > afterId),
    ({ id }) => id,
    (found) => found,
  )
  assert.deepEqual(
    [first.page.length, decodeCursor(first.nextCursor, 0, isId)],
    [1, 1],
    'one that is larger than a page has its own',
  )
})
