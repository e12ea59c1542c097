import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/*
 * As much of S3 as we use, and as strict: each signature is worked out again from the request as it came, by Amazon's
 * description (Signature Version 4), not by the library that made it.
 */

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

export const s3Credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/

/** What is wrong with a request, as S3 calls it. */
function findFault({ method = '', url = '', headers }: IncomingMessage, body: Buffer): string | undefined {
  const [, id, day = '', region = '', names = '', signature] = authorization.exec(headers.authorization ?? '') ?? []
  if (id === undefined) return 'AccessDenied'
  if (id !== s3Credentials.accessKeyId) return 'InvalidAccessKeyId'
  const time = String(headers['x-amz-date'])
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(at - Date.now()) < 15 * 60_000) || !time.startsWith(day)) return 'RequestTimeTooSkewed'
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const signed = names.split(';')
  for (const must of ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))])
    if (!signed.includes(must)) return 'AccessDenied'
  const [path, query = ''] = url.split('?')
  const canonical = [method, path, query, ...signed.map((name) => `${name}:${headers[name]}`), '', names, sha256(body)]
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical.join('\n'))].join('\n')
  const parts = [day, region, 's3', 'aws4_request']
  const key = parts.reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${s3Credentials.secretAccessKey}`)
  return hmac(key, toSign).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

const refusals: Record<string, number> = { NoSuchKey: 404, SlowDown: 503 }

export async function startS3() {
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  const troubles: string[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const { method = '', url = '' } = request
    requests.push(`${method} ${url}`)
    const fault =
      troubles.shift() ?? findFault(request, body) ?? (method === 'GET' && !objects.has(url) ? 'NoSuchKey' : '')
    if (fault) {
      response.writeHead(refusals[fault] ?? 403).end(`<Error><Code>${fault}</Code></Error>`)
      return
    }
    if (method === 'PUT') objects.set(url, body)
    if (method === 'DELETE') objects.delete(url)
    response.writeHead(method === 'DELETE' ? 204 : 200).end(method === 'GET' ? objects.get(url) : undefined)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    /** The next requests are answered with these. */
    fail: (...codes: string[]) => void troubles.push(...codes),
    close: () => {
      server.closeAllConnections()
      return new Promise<unknown>((done) => server.close(done))
    },
  }
}
