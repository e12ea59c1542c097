import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { aTask } from '../../test/factories.ts'
import { startServer, type TestServer } from '../../test/server.ts'

/** A response as sent, without decompression. */
async function fetchRaw({ url, key }: TestServer, path: string, accepted?: string) {
  const headers = { authorization: key, ...(accepted !== undefined && { 'accept-encoding': accepted }) }
  return new Promise<{ encoding: string | undefined; vary: string | undefined; bytes: Buffer; length: number }>(
    (resolve, reject) => {
      get(`${url}/api/v1${path}`, { headers }, async (response) => {
        const chunks: Buffer[] = await response.toArray()
        const { 'content-encoding': encoding, 'content-length': length, vary } = response.headers
        resolve({ encoding, vary, bytes: Buffer.concat(chunks), length: Number(length) })
      }).on('error', reject)
    },
  )
}

test('long answers are compressed for clients that accept it, with the same content', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks/bulkCreate', { tasks: Array.from({ length: 50 }, () => aTask()) })
  const plain = await fetchRaw(server, '/tasks')
  assert.deepEqual([plain.encoding, plain.vary], [undefined, 'accept-encoding'])
  const cases: [accepted: string, encoding: string | undefined, unpack: (bytes: Buffer) => Buffer][] = [
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
    ['GZIP;q=0.5, zstd;q=0', 'gzip', gunzipSync],
    ['identity', undefined, (bytes) => bytes],
    ['br', undefined, (bytes) => bytes],
  ]
  for (const [accepted, encoding, unpack] of cases) {
    const packed = await fetchRaw(server, '/tasks', accepted)
    assert.deepEqual([packed.encoding, packed.length], [encoding, packed.bytes.length], accepted)
    assert.ok(unpack(packed.bytes).equals(plain.bytes), accepted)
    if (encoding) assert.ok(packed.bytes.length * 4 < plain.bytes.length, `${packed.bytes.length}`)
  }
})

test('a single task is sent uncompressed', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: 'A' }))
  const { encoding, bytes } = await fetchRaw(server, '/tasks/awb/A', 'gzip, zstd')
  assert.equal(encoding, undefined)
  assert.equal(JSON.parse(bytes.toString()).task.awb, 'A')
})
