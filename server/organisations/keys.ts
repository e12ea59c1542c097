import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * `wb_<id>_<256 random bits><checksum>`: the prefix lets secret scanners find a leaked key, the id says which one to
 * revoke, the checksum distinguishes a mistyped key from an unknown one without asking the database.
 */
export function makeKey(id: number): string {
  const secret = randomBytes(32).toString('base64url')
  return `wb_${id}_${secret}${checksum(`${id}_${secret}`)}`
}

const ours = /^wb_(\d+_[\w-]{43})([0-9a-f]{8})$/

/** False for text that looks like one of our keys but is damaged. Other text may be a first key chosen by the operator. */
export function isPlausibleKey(text: string): boolean {
  const parts = ours.exec(text)
  return !parts || checksum(parts[1] as string) === parts[2]
}

const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0')

/** Keys are random, so a plain hash is enough: there is nothing to guess. Only the hash is ever stored. */
export const hashKey = (key: string) => createHash('sha256').update(key).digest()
