import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { OutsideError } from '../fault.ts'
import type { Answer, Outside } from '../fetch.ts'
import type { FileStore } from './store.ts'

/* Any store that speaks S3: Amazon's own, MinIO, Ceph, R2, B2 … */

export interface S3Options {
  bucket: string
  /** Prepended to every key; empty or ending with a slash. */
  prefix: string
  region: string
  /** Undefined for Amazon S3. */
  endpoint: string | undefined
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
}

const timeoutMs = 30_000
const mostBytes = 64 * 1024 * 1024
const retryAfterMs = [200, 1_000]

export function openS3(outside: Outside, options: S3Options): FileStore {
  const { bucket, prefix, region, endpoint } = options
  // Self-hosted stores rarely have a host name per bucket, so the bucket goes into the path.
  const base = endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`
  const cache = new Map<string, ArrayBuffer>()

  async function send(method: 'GET' | 'PUT' | 'DELETE', key: string, body?: Buffer, type?: string): Promise<Answer> {
    const { url, headers } = await new AwsV4Signer({
      ...credentials(options),
      method,
      url: `${base}/${prefix}${key}`,
      headers: {
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
        ...(type && { 'content-type': type }),
      },
      service: 's3',
      region,
      cache,
    }).sign()
    const sent = { method, url: url.href, headers: Object.fromEntries(headers), timeoutMs, maxBytes: mostBytes }
    return outside.send(body ? { ...sent, body } : sent)
  }

  /** Tries again if the failure may be temporary. */
  async function ask(...request: Parameters<typeof send>): Promise<Answer> {
    for (const waitMs of retryAfterMs) {
      const answer = await send(...request).catch(orLater)
      if (answer && answer.status < 500 && answer.status !== 429) return answer
      await pause(waitMs)
    }
    return send(...request)
  }

  return {
    async put(key, path, type) {
      requireSuccess(await ask('PUT', key, await readFile(path), type))
    },
    async get(key) {
      const answer = await ask('GET', key)
      if (answer.status === 404) return undefined
      requireSuccess(answer)
      if (answer.truncated) throw new OutsideError('protocol', 'The file store sent more than was stored')
      return answer.bytes
    },
    async delete(key) {
      const answer = await ask('DELETE', key)
      if (answer.status !== 404) requireSuccess(answer)
    },
  }
}

function credentials({ accessKeyId, secretAccessKey, sessionToken }: S3Options) {
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
}

function orLater(error: unknown): undefined {
  if (!(error instanceof OutsideError) || error.fault === 'aborted') throw error
}

/** The reason is in the XML: `<Code>NoSuchBucket</Code>`. It goes to the operator's log, never to a caller. */
function requireSuccess({ status, body }: Answer) {
  if (status >= 200 && status < 300) return
  const [, code = 'no reason given'] = /<Code>(\w{1,100})<\/Code>/.exec(body) ?? []
  throw new OutsideError('protocol', `The file store answered ${status} (${code})`)
}
