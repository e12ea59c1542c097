import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startEmbedded } from '../server/db/embedded.ts'
import { markOwner } from '../server/db/embedded-marker.ts'
import { runHere } from './test/run-here.ts'

async function aFolder(t: TestContext) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'waybill-remove-')))
  await chmod(root, 0o755)
  t.after(() => rm(root, { recursive: true, force: true }))
  return root
}

/** A data folder whose database is elsewhere. */
async function anInstallation(t: TestContext) {
  const root = await aFolder(t)
  const [folder, place] = [join(root, 'data'), join(root, 'database-1')]
  await mkdir(join(folder, 'files'), { recursive: true })
  await writeFile(join(folder, 'files', 'photo'), 'x'.repeat(5_000))
  await mkdir(place)
  await writeFile(join(place, 'PG_VERSION'), '18\n')
  await markOwner(place, folder)
  await symlink(place, join(folder, 'postgres'))
  return { folder, place }
}

test('an installation is deleted whole, its database elsewhere included, after it was said what that is', async (t) => {
  const { folder, place } = await anInstallation(t)
  Object.assign(process.stdin, { isTTY: false })
  const asked = await runHere({ WAYBILL_DATA: folder }, 'remove')
  assert.equal(asked.code, 2)
  assert.match(asked.err, /nothing was deleted\. Add --yes/)
  for (const path of [place, join(folder, 'files')]) assert.ok(asked.out.includes(path), path)
  assert.match(asked.out, /files\s+5 kB/)
  assert.ok(existsSync(place) && existsSync(folder))

  const done = await runHere({ WAYBILL_DATA: folder }, 'remove', '--yes')
  assert.deepEqual([done.code, done.err], [0, ''])
  assert.ok(!existsSync(place) && !existsSync(folder))
  assert.equal((await runHere({ WAYBILL_DATA: folder }, 'remove', '--yes')).code, 2, 'there is none any more')
})

test('what Waybill did not make stays, and so does its folder', async (t) => {
  const { folder, place } = await anInstallation(t)
  await writeFile(join(folder, 'thesis.odt'), 'mine')
  const { out } = await runHere({ WAYBILL_DATA: folder, DATABASE_URL: 'postgres://db/waybill' }, 'remove', '--yes')
  assert.match(out, /kept: thesis\.odt/)
  assert.match(out, /Your own database .* is kept/)
  assert.deepEqual(await readdir(folder), ['thesis.odt'])
  assert.ok(!existsSync(place))
})

test('an installation that runs is not deleted', async (t) => {
  const folder = join(await aFolder(t), 'data')
  const database = await startEmbedded({ folder, log: () => {}, settings: { fsync: 'off' } })
  t.after(() => database.stop())
  const { code, err } = await runHere({ WAYBILL_DATA: folder }, 'remove', '--yes')
  assert.equal(code, 1)
  assert.match(err, /Another Waybill \(process \d+\) is already using/)
  assert.ok(existsSync(join(folder, 'postgres')))
  await database.stop()
  assert.equal((await runHere({ WAYBILL_DATA: folder }, 'remove', '--yes')).code, 0)
  assert.ok(!existsSync(folder))
})
