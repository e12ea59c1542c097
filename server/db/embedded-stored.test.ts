import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { markOwner } from './embedded-marker.ts'
import { bytesOf, describeOrphans, findLinked, listStored, removeStored } from './embedded-stored.ts'

/** A folder of all accounts, and data folders whose databases are in it. */
async function aMachine(t: TestContext) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'waybill-stored-')))
  t.after(() => rm(root, { recursive: true, force: true }))
  const shared = join(root, 'shared')
  return {
    root,
    shared,
    async install(name: string, isMarked = true) {
      const [folder, place] = [join(root, name), join(shared, `database-${name}`)]
      await mkdir(folder)
      await mkdir(join(place, 'global'), { recursive: true })
      await writeFile(join(place, 'global/pg_control'), 'x'.repeat(500))
      await symlink(place, join(folder, 'postgres'))
      if (isMarked) await markOwner(place, folder)
      return { folder, place }
    },
    states: async (own?: string) =>
      Object.fromEntries((await listStored(shared, own)).map(({ place, state }) => [place.split('-').at(-1), state])),
  }
}

test('a database is known to be left behind when its data folder is gone, moved away or has another one', async (t) => {
  const { root, install, states } = await aMachine(t)
  assert.deepEqual(await states(), {}, 'there is none')
  const [used, gone, moved, other] = [
    await install('used'),
    await install('gone'),
    await install('moved'),
    await install('other'),
  ]
  await rm(gone.folder, { recursive: true })
  await rename(moved.folder, join(root, 'elsewhere'))
  await rm(join(other.folder, 'postgres'))
  await symlink(used.place, join(other.folder, 'postgres'))
  assert.deepEqual(await states(), { used: 'used', gone: 'orphan', moved: 'orphan', other: 'orphan' })
  await markOwner(moved.place, join(root, 'elsewhere'))
  assert.equal((await states())['moved'], 'used', 'it was started where it is now')
})

test('a database of before they said whose they are is known only by its own data folder', async (t) => {
  const { install, states } = await aMachine(t)
  const { folder } = await install('old', false)
  assert.deepEqual(await states(), { old: 'unknown' })
  assert.deepEqual(await states(folder), { old: 'used' })
  await rm(folder, { recursive: true })
  assert.deepEqual(await states(folder), { old: 'unknown' }, 'nobody knows any more')
})

test('a start names what was left behind and how to delete it', { skip: process.getuid?.() !== 0 }, async (t) => {
  const { shared, install } = await aMachine(t)
  const [{ folder }, gone] = [await install('used'), await install('gone')]
  await rm(gone.folder, { recursive: true })
  const [sentence, ...more] = await describeOrphans(shared, folder)
  assert.deepEqual(more, [])
  for (const words of [gone.place, gone.folder, 'waybill remove --orphans']) assert.ok(sentence?.includes(words), words)
})

test('what a database takes is counted, and it is deleted unless it runs', {
  skip: process.platform !== 'linux' && 'only Linux shows where a process works',
}, async (t) => {
  const { install } = await aMachine(t)
  const { folder, place } = await install('gone')
  assert.ok((await bytesOf(place)) > 500)
  assert.equal(await findLinked(folder), place)
  // The server of a cluster works in its folder.
  const server = spawn('sleep', ['60'], { cwd: place })
  t.after(() => server.kill())
  await writeFile(join(place, 'postmaster.pid'), `${server.pid}\n${place}\n`)
  await assert.rejects(removeStored(place), new RegExp(`is running \\(process ${server.pid}\\)`))
  assert.ok(existsSync(place))
  await writeFile(join(place, 'postmaster.pid'), `${process.pid}\n${place}\n`)
  await removeStored(place)
  assert.ok(!existsSync(place), 'a process that only has its old number does not count')
})
