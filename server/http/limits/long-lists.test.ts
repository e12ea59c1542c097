import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { aTask } from '../../test/factories.ts'
import { request, startServer } from '../../test/server.ts'
import { createLongLists } from './long-lists.ts'

/** Somebody who asks for lists that are ready when we say so. */
function aReader(makeLongList: ReturnType<typeof createLongLists>, organisationId: number, name = 'KEY 1') {
  const ready = Promise.withResolvers<string>()
  let leave = () => {}
  const state = { isBegun: false }
  const asked = makeLongList(
    {
      asker: { organisationId, name },
      onGone(callback) {
        leave = callback
        return () => {}
      },
    },
    () => {
      state.isBegun = true
      return ready.promise
    },
  )
  const outcome = asked.then(
    () => 'made',
    (refusal) => refusal.code as string,
  )
  return { outcome, isBegun: () => state.isBegun, finish: () => ready.resolve('list'), leave: () => leave() }
}

const begun = (readers: { isBegun(): boolean }[]) => readers.map(({ isBegun }) => isBegun())

test('long lists are made two at a time for an organisation, in order, and another organisation waits for none of them', async () => {
  const makeLongList = createLongLists()
  const readers = [1, 1, 1, 1].map((organisation) => aReader(makeLongList, organisation))
  const other = aReader(makeLongList, 2)
  await setImmediate()
  assert.deepEqual(begun([...readers, other]), [true, true, false, false, true])
  readers[1]?.finish()
  await readers[1]?.outcome
  await setImmediate()
  assert.deepEqual(begun(readers), [true, true, true, false])
})

test('who has left is not served, and takes no place', async () => {
  const makeLongList = createLongLists()
  const readers = Array.from({ length: 508 }, () => aReader(makeLongList, 1))
  await setImmediate()
  assert.deepEqual(
    await Promise.all(readers.slice(502).map(({ outcome }) => outcome)),
    Array.from({ length: 6 }, () => 'OVERLOADED'),
    'two are made, and 500 wait',
  )
  for (const { leave } of readers.slice(2)) leave()
  assert.equal(await readers[501]?.outcome, 'BAD_REQUEST')
  const later = aReader(makeLongList, 1)
  for (const { finish } of readers.slice(0, 2)) finish()
  later.finish()
  assert.equal(await later.outcome, 'made')
  assert.deepEqual(begun(readers.slice(2)).includes(true), false)
})

test('a list that fails lets the next one begin', async () => {
  const makeLongList = createLongLists()
  const client = { asker: { organisationId: 1, name: 'KEY 1' }, onGone: () => () => {} }
  for (let turn = 0; turn < 5; turn += 1)
    await assert.rejects(
      makeLongList(client, async () => {
        throw new Error('broken')
      }),
      /broken/,
    )
  assert.equal(await makeLongList(client, async () => 'made'), 'made')
})

test('who reads whole lists in parallel gets each', async (t) => {
  const { url, key, post } = await startServer(t)
  await post('/tasks/bulkCreate', { tasks: Array.from({ length: 20 }, () => aTask()) })
  const paths = ['/api/v1/tasks', '/api/v1/events?limit=1000', '/api/v1/tasks?limit=100']
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) => request(url, 'GET', paths[at % 3] as string, { key })),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  for (const [at, { body }] of answers.entries())
    assert.equal((at % 3 === 1 ? body.events : body.tasks).length >= 20, true)
})
