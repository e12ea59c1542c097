import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { s3Credentials, startS3 } from '../../test/s3.ts'
import { enginePolicy } from '../addresses.ts'
import { createOutside } from '../fetch.ts'
import { openFolder } from './folder.ts'
import { openS3, type S3Options } from './s3.ts'
import type { FileStore } from './store.ts'

async function makeFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-store-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

async function aBucket(t: TestContext, given: Partial<S3Options> = {}) {
  const s3 = await startS3()
  t.after(s3.close)
  const outside = createOutside(enginePolicy)
  t.after(outside.close)
  const place = { bucket: 'waybill', prefix: 'a/b/', region: 'eu-central-1', endpoint: s3.url, sessionToken: undefined }
  return { s3, store: openS3(outside, { ...place, ...s3Credentials, ...given }) }
}

const stores: Record<string, (t: TestContext) => Promise<FileStore>> = {
  'a folder': async (t) => openFolder(join(await makeFolder(t), 'files')),
  'a bucket': async (t) => (await aBucket(t)).store,
}

for (const [name, open] of Object.entries(stores))
  test(`what is put into ${name} stays there, complete, until it is deleted`, async (t) => {
    const [store, folder] = [await open(t), await makeFolder(t)]
    const source = join(folder, 'x')
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251))
    await writeFile(source, bytes)
    await store.put('7/ab/one', source, 'image/jpeg')
    await writeFile(source, 'another')
    await store.put('7/ab/one.thumb', source, 'image/jpeg')
    assert.ok((await store.get('7/ab/one'))?.equals(bytes))
    assert.equal(String(await store.get('7/ab/one.thumb')), 'another')
    assert.equal(await store.get('7/ab/two'), undefined)
    await store.delete('7/ab/one')
    await store.delete('7/ab/one')
    assert.equal(await store.get('7/ab/one'), undefined)
    assert.equal(String(await store.get('7/ab/one.thumb')), 'another')
  })

test('a folder has no half-written files, and nobody else can read it', async (t) => {
  const folder = await makeFolder(t)
  const source = join(folder, 'x')
  await writeFile(source, 'x', { mode: 0o600 })
  await openFolder(join(folder, 'files')).put('1/aa/one', source, 'image/jpeg')
  assert.deepEqual(await readdir(folder), ['files'], 'it was moved, not copied')
  for (const place of ['files', 'files/1', 'files/1/aa', 'files/1/aa/one'])
    assert.equal((await stat(join(folder, place))).mode & 0o077, 0, place)
})

test('requests to a bucket use its prefix and are retried if it is busy', async (t) => {
  const { s3, store } = await aBucket(t)
  s3.fail('SlowDown', 'SlowDown')
  assert.equal(await store.get('7/ab/one'), undefined)
  assert.deepEqual(s3.requests, Array(3).fill('GET /waybill/a/b/7/ab/one'))
  s3.fail('SlowDown', 'SlowDown', 'SlowDown')
  await assert.rejects(store.get('7/ab/one'), /The file store answered 503 \(SlowDown\)/)
})

test('if a bucket does not accept our key, the operator is told the reason', async (t) => {
  const { store } = await aBucket(t, { secretAccessKey: 'wrong' })
  await assert.rejects(store.delete('7/ab/one'), /answered 403 \(SignatureDoesNotMatch\)/)
})

test('the token of a temporary key is signed and sent', async (t) => {
  const { store } = await aBucket(t, { sessionToken: 'temporary' })
  assert.equal(await store.get('7/ab/one'), undefined)
})
