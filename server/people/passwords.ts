import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { Refusal } from '../../contract/errors.ts'

/*
 * Passwords are stored as argon2id in the usual notation, which includes its parameters, so that they can change later.
 * 19 MiB and two passes are the OWASP minimum; here that takes 50 ms of one core, off the event loop.
 */

const usual = { memory: 19_456, passes: 2, parallelism: 1 }
const derive = promisify(argon2)

/** Two at a time: the threads that hash also look up names and read files, and each hash needs memory. */
const mostAtOnce = 2
const mostWaiting = 50
let running = 0
/** Two lines, so that strangers who try passwords do not keep those out whom we know. */
const waiting: Record<'known' | 'strangers', (() => void)[]> = { known: [], strangers: [] }

/** Throws if the line is full. Strangers are told before anything is counted or asked for them. */
export function requireRoom(isKnown: boolean) {
  if ((isKnown ? waiting.known : waiting.strangers).length >= mostWaiting)
    throw new Refusal('OVERLOADED', { message: 'Too many people are signing in right now', retryAfterSeconds: 5 })
}

async function inTurn<Result>(isKnown: boolean, work: () => Promise<Result>): Promise<Result> {
  const line = isKnown ? waiting.known : waiting.strangers
  if (running >= mostAtOnce) {
    requireRoom(isKnown)
    await new Promise<void>((resolve) => line.push(resolve))
  } else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.known.shift() ?? waiting.strangers.shift()
    if (next) next()
    else running -= 1
  }
}

/** The same letters may be typed as one character or as two. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'))

/** The most common passwords that are long enough, in lower case, one per line; read when first needed. */
const commonFile = new URL('common-passwords.txt.gz', import.meta.url)
let common: Set<string> | undefined

/** No rules about characters: a password must be long, and not one that everyone tries first. */
export function refuseEasyPassword(password: string, email: string) {
  const field = 'password'
  const plain = password.normalize('NFC').toLowerCase()
  if (plain === email.toLowerCase())
    throw new Refusal('VALIDATION_FAILED', { field, message: 'password must not be the email address' })
  common ??= new Set(gunzipSync(readFileSync(commonFile)).toString().split('\n'))
  if (common.has(plain)) throw new Refusal('PASSWORD_TOO_COMMON', { field })
}

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await inTurn(true, () =>
    derive('argon2id', { ...usual, message: bytesOf(password), nonce, tagLength: 32 }),
  )
  const { memory, passes, parallelism } = usual
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(tag)}`
}

const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const notation = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** `isKnown`: they have signed in from there before, or are signed in, so they go before strangers. */
export async function isPassword(password: string, kept: string, isKnown = true): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = notation.exec(kept) ?? []
  const expected = Buffer.from(tag, 'base64')
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const given = { message: bytesOf(password), nonce: Buffer.from(nonce, 'base64'), tagLength: expected.length }
  return timingSafeEqual(await inTurn(isKnown, () => derive('argon2id', { ...parameters, ...given })), expected)
}

/** For unknown accounts: compared with the password, so that a wrong one takes just as long. */
export const nobodysPassword = `$argon2id$v=19$m=${usual.memory},t=${usual.passes},p=${usual.parallelism}$${encode(Buffer.alloc(16))}$${encode(Buffer.alloc(32))}`
