import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLog } from '../log.ts'
import { until } from '../test/until.ts'
import { openKept } from './kept.ts'

const log = createLog('silent', process.stderr)

async function start(t: TestContext, options: Partial<Parameters<typeof openKept>[0]> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-kept-'))
  const kept = openKept({ log, folder, ...options })
  t.after(async () => {
    kept.close()
    await kept.sweep()
    await rm(folder, { recursive: true, force: true })
  })
  const keep = async (organisationId: number, name: string, text: string, minutesAgo = 0) => {
    await kept.keep(organisationId, name, (path) => writeFile(path, text))
    const made = new Date(Date.now() - minutesAgo * 60_000)
    await utimes(join(folder, String(organisationId), name), made, made)
  }
  const read = async (organisationId: number, name: string) => {
    const found = await kept.find(organisationId, name)
    return found?.file.readFile('utf8').finally(() => found.file.close())
  }
  const names = async (organisationId: number) => (await readdir(join(folder, String(organisationId)))).sort()
  return { ...kept, write: kept.keep, keep, read, names }
}

test('what is kept is found by its organisation, with its name', async (t) => {
  const { keep, read, find } = await start(t)
  await keep(1, 'a', 'one')
  assert.equal(await read(1, 'a'), 'one')
  assert.equal(await read(2, 'a'), undefined)
  assert.equal(await read(1, 'b'), undefined)
  const found = await find(1, 'a')
  assert.equal(found?.bytes, 3)
  await found?.file.close()
})

test('what failed or is still being written is not found and leaves nothing', async (t) => {
  const { write, read, names } = await start(t)
  const half = async (path: string) => {
    await writeFile(path, 'half')
    assert.equal(await read(1, 'a'), undefined)
    throw new Error('broken')
  }
  await assert.rejects(write(1, 'a', half), /broken/)
  assert.deepEqual(await names(1), [])
})

test('nothing is kept for longer than an hour', async (t) => {
  const { keep, read, sweep, names } = await start(t)
  await keep(1, 'old', 'x', 61)
  await keep(1, 'new', 'x', 59)
  assert.equal(await read(1, 'old'), undefined, 'not even before it is deleted')
  await sweep()
  assert.deepEqual(await names(1), ['new'])
})

test('the oldest go first, of an organisation that has much, and of all', async (t) => {
  const block = 'x'.repeat(4_096)
  const { keep, sweep, names } = await start(t, { mostBytesOfOne: 3 * 4_096, mostBytes: 4 * 4_096 })
  for (const [age, name] of ['a', 'b', 'c', 'd', 'e'].entries()) await keep(1, name, block, age)
  await keep(2, 'old', block, 50)
  await sweep()
  assert.deepEqual(await names(1), ['a', 'b', 'c'])
  assert.deepEqual(await names(2), ['old'], 'what is too much of one takes nothing from another')
  await keep(3, 'a', 'tiny', 30)
  await sweep()
  assert.deepEqual([await names(2), await names(3)], [[], ['a']], 'a small file takes a whole block')
})

test('a file stays readable to its end after it was deleted', async (t) => {
  const { keep, find, sweep } = await start(t, { mostBytes: 0 })
  await keep(1, 'a', 'all of it')
  const found = await find(1, 'a')
  await sweep()
  assert.equal(await found?.file.readFile('utf8').finally(() => found.file.close()), 'all of it')
  assert.equal(await find(1, 'a'), undefined)
})

test('much that is new is looked through without waiting for the timer', async (t) => {
  const { write, names, sweep } = await start(t, { mostBytesOfOne: 0 })
  await sweep()
  const large = Buffer.alloc(9 * 1024 * 1024)
  for (const name of ['a', 'b']) await write(1, name, (path) => writeFile(path, large))
  await until('the folder to be empty', async () => (await names(1)).length === 0)
})
