import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { openArchive, writeArchive } from './archive.ts'

async function makeArchive(t: TestContext, members: Record<string, Buffer>) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-archive-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'archive.tar')
  const file = await open(path, 'wx')
  const archive = writeArchive(file, new Date('2026-11-15T05:00:00Z'))
  for (const [name, body] of Object.entries(members)) await archive.add(name, body)
  await archive.finish()
  await file.close()
  return path
}

async function readBack(path: string) {
  const archive = await openArchive(path)
  try {
    const members: Record<string, Buffer> = {}
    await archive.readAll(async (member, pieces) => {
      members[member.path] = Buffer.concat(await Array.fromAsync(pieces))
    })
    return members
  } finally {
    await archive.close()
  }
}

const members = {
  'one.json': Buffer.from('{}\n'),
  [`folder/${'deep/'.repeat(25)}two`]: Buffer.alloc(3_000, 'x'),
  empty: Buffer.alloc(0),
  exactly: Buffer.alloc(1_024, 'y'),
}

test('an archive returns what was put in, and tar can read it too', async (t) => {
  const path = await makeArchive(t, members)
  assert.deepEqual(await readBack(path), members)

  const { stdout } = await promisify(execFile)('tar', ['tf', path])
  assert.deepEqual(stdout.trim().split('\n'), [...Object.keys(members), 'sha256'])
  const { stdout: two } = await promisify(execFile)('tar', ['xOf', path, Object.keys(members)[1] as string])
  assert.equal(two, 'x'.repeat(3_000))
})

test('any flipped bit and any truncation is detected', async (t) => {
  const path = await makeArchive(t, members)
  const whole = await readFile(path)
  for (let at = 0; at < whole.length; at += 11) {
    const changed = Buffer.from(whole)
    changed[at] = (changed[at] as number) ^ (1 << (at % 8))
    await writeFile(path, changed)
    await assert.rejects(readBack(path), /was changed|cut off|is not a Waybill backup/, `byte ${at}`)
  }
  for (let length = 0; length < whole.length; length += 97) {
    await writeFile(path, whole.subarray(0, length))
    await assert.rejects(readBack(path), /cut off|is not a Waybill backup/, `cut at ${length}`)
  }
  await writeFile(path, Buffer.concat([whole, Buffer.alloc(512)]))
  await assert.rejects(readBack(path), /was changed/)
})
