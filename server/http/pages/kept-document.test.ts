import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startServer } from '../../test/server.ts'

/** A response as sent, without decompression. */
async function fetchRaw(url: string, headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    headers: NodeJS.Dict<string>
    bytes: Buffer
  }>()
  get(url, { headers }, async (response) => {
    const bytes = Buffer.concat(await response.toArray())
    resolve({ status: response.statusCode as number, headers: response.headers as NodeJS.Dict<string>, bytes })
  }).on('error', reject)
  return promise
}

async function pathsOf(url: string) {
  const page = (await fetchRaw(url, {})).bytes.toString()
  // Not what is loaded ahead, which is linked, too.
  const assets = [...page.matchAll(/(?:src="|stylesheet" crossorigin href=")(\/assets\/console-[^"]+)"/g)].map(
    ([, path]) => path as string,
  )
  assert.equal(assets.length, 2)
  return [...assets, '/openapi.json', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css']
}

test('documents are compressed for clients that accept it, with the same content', async (t) => {
  const { url } = await startServer(t)
  for (const path of await pathsOf(url)) {
    const plain = await fetchRaw(url + path, {})
    assert.deepEqual([plain.headers['content-encoding'], plain.headers['vary']], [undefined, 'accept-encoding'])
    const cases: [accepted: string, encoding: string | undefined, unpack: (bytes: Buffer) => Buffer][] = [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip, deflate', 'gzip', gunzipSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
      ['identity', undefined, (bytes) => bytes],
    ]
    for (const [accepted, encoding, unpack] of cases) {
      const packed = await fetchRaw(url + path, { 'accept-encoding': accepted })
      assert.deepEqual([packed.status, packed.headers['content-encoding']], [200, encoding], `${path} ${accepted}`)
      assert.ok(unpack(packed.bytes).equals(plain.bytes), `${path} ${accepted}`)
      assert.equal(packed.headers['content-type'], plain.headers['content-type'])
      if (encoding) assert.ok(packed.bytes.length * 2 < plain.bytes.length, `${path}: ${packed.bytes.length}`)
    }
  }
})

test('a client that already has a document is told so', async (t) => {
  const { url } = await startServer(t)
  for (const path of [...(await pathsOf(url)), '/', '/docs', '/brand.svg']) {
    const first = await fetchRaw(url + path, { 'accept-encoding': 'br' })
    const again = await fetchRaw(url + path, {
      'accept-encoding': 'gzip',
      'if-none-match': first.headers['etag'] as string,
    })
    assert.deepEqual([again.status, again.bytes.length], [304, 0], path)
    const other = await fetchRaw(url + path, { 'if-none-match': '"another"' })
    assert.equal(other.status, 200)
  }
  const missing = await fetchRaw(`${url}/none`, { accept: 'text/html' })
  const again = await fetchRaw(`${url}/none`, {
    accept: 'text/html',
    'if-none-match': missing.headers['etag'] as string,
  })
  assert.equal(again.status, 404)
})
