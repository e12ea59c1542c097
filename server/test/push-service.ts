import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { TestContext } from 'node:test'
import tls from 'node:tls'
import { type Identity, type Received, startReceiver } from './receiver.ts'

/*
 * A push service as those of the browsers: it has a subscription for each phone and takes messages that only the phone can
 * read. Written from RFC 8291 and RFC 8292, not with the library that encrypts.
 */
export async function startPushService(t: TestContext) {
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, localhost.cert])
  t.after(() => tls.setDefaultCACertificates(before))
  const receiver = await startReceiver(t, { tls: localhost })
  let made = 0
  return {
    ...receiver,
    origin: `https://localhost:${receiver.port}`,
    /** A phone that subscribes: what its browser would send us, and what has arrived for it. */
    subscribe() {
      const browser = createECDH('prime256v1')
      const p256dh = browser.generateKeys()
      const auth = randomBytes(16)
      const path = `/phones/${++made}`
      return {
        subscription: {
          endpoint: `https://localhost:${receiver.port}${path}`,
          expirationTime: null,
          keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
        },
        received: () => receiver.requests.filter(({ url }) => url === path),
        /** What the phone reads, or an error if it was not meant for it. */
        read: ({ bytes }: Received) => decrypt(bytes, browser, auth),
      }
    },
  }
}

function decrypt(bytes: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = bytes.subarray(0, 16)
  const senderKey = bytes.subarray(21, 21 + bytes.readUInt8(20))
  const record = bytes.subarray(21 + senderKey.length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), senderKey])
  const shared = hkdfSync('sha256', browser.computeSecret(senderKey), auth, info, 32)
  const derive = (what: string, length: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(shared), salt, `Content-Encoding: ${what}\0`, length))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  return padded.subarray(0, end).toString()
}

/** Who sent a message, as its signature proves. Throws if the signature is wrong. */
export function readSender({ headers }: Received) {
  const [, token = '', publicKey = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y } as never, format: 'jwk' })
  const signed = { key, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url')))
    throw new Error('The signature of the push message is wrong')
  const { aud, sub, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return { publicKey, aud, sub, exp }
}

/** Self-signed, for localhost, until 2126. The key guards nothing but tests. */
export const localhost: Identity = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUUcgm2vYBCiec5NdX5Pytysp5oBswCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNjA1MzM1MFoYDzIxMjYxMDIz
MDUzMzUwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT5hjSDU84/aYKv7Kgh0S7sCnfKScXXj26ULvq1dDIS1jhUns6Sy4vA
PBTcS1HZtDQmOqSypdVDQ0ZfnTo2/xFAo28wbTAdBgNVHQ4EFgQU8o8g6koDSIh9
ZcJeQVw4TiiuR24wHwYDVR0jBBgwFoAU8o8g6koDSIh9ZcJeQVw4TiiuR24wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIge//sO4bgh+JJS97MXaIh+FG361E+nnHm8Yt+YuYFXOECIQDd
+u20HpUkHK/ltWHTocyR1z6SzBmAC+osXIBnQq4BzQ==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgm0buH6CjgYCA1quO
xUBn1sJuneZSk/l2lELymofkZKWhRANCAAT5hjSDU84/aYKv7Kgh0S7sCnfKScXX
j26ULvq1dDIS1jhUns6Sy4vAPBTcS1HZtDQmOqSypdVDQ0ZfnTo2/xFA
-----END PRIVATE KEY-----`,
}
