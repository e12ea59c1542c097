import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import type { Changed } from '../../../contract/live.ts'
import type { Actor, Context, Service } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { forgetFullBuckets } from '../limits/buckets.ts'
import { rawBodyOf } from '../requests/body.ts'
import {
  findKeptAnswer,
  forgetOldAnswers,
  type KeptAnswer,
  keepAnswer,
  type RequestName,
  tryLockRequest,
} from './kept-answers.ts'

/*
 * A request with an Idempotency-Key has its effect once, however often it is sent (docs/decisions/0006): the answer is
 * written in the transaction of the effect, and repeated requests get that answer. If the effect is several transactions,
 * it is written after the last.
 */

export interface Answered {
  /** The body, as it goes over the wire, or a refusal that has left its mark. */
  answer: string | Refusal
  isReplay: boolean
}

/** What is needed to execute once: whose request it is, and how to answer it the first time. */
interface Once {
  context: Context
  organisationId: number
  key: string
  request: FastifyRequest
  inSteps: boolean
  withoutSecrets: (answer: object) => unknown
  answer: (context: Context) => Promise<object>
}

/** The key of a request that has one. */
export function readIdempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key))) return key
  throw new Refusal('VALIDATION_FAILED', {
    field: 'Idempotency-Key',
    message: 'Idempotency-Key must be 1 to 255 printable ASCII characters',
  })
}

export function createOnce() {
  /** What this process is executing. The lock keeps others away too, but only once the transaction has begun. */
  const running = new Set<string>()

  return async ({
    context,
    organisationId,
    key,
    request,
    inSteps,
    withoutSecrets,
    answer,
  }: Once): Promise<Answered> => {
    const name: RequestName = { organisation_id: organisationId, caller: callerOf(context.actor), key }
    const fingerprint = fingerprintOf(request)
    const kept = await findKeptAnswer(context.db, name)
    if (kept) return replay(kept, fingerprint)

    const nameText = JSON.stringify(name)
    if (running.has(nameText)) throw inProgress()
    running.add(nameText)
    let hasEvents = false
    const changed = new Set<Changed>()
    const answerIn = async (context: Context): Promise<string | Refusal> => {
      const given = await answer(context).catch(orRecorded)
      const keep = async (answer: string) => {
        if ((await keepAnswer(context.db, name, { fingerprint, answer })) === 0) throw inProgress()
      }
      if (given instanceof Refusal) {
        await keep(writeRefusal(given))
        return given
      }
      const text = JSON.stringify(given)
      const lasting = withoutSecrets(given)
      await keep(lasting === given ? text : JSON.stringify(lasting))
      return text
    }
    try {
      if (inSteps) {
        await requireUnanswered(context.db, name)
        return { answer: await answerIn(context), isReplay: false }
      }
      const text = await context.db.transaction(
        (db) => {
          const announceEvents = () => {
            hasEvents = true
          }
          const announceChanges = (some: readonly Changed[]) => {
            for (const what of some) changed.add(what)
          }
          return answerIn({ ...context, db, announceEvents, announceChanges })
        },
        (db) => claim(db, name),
      )
      if (hasEvents) context.announceEvents()
      context.announceChanges([...changed])
      return { answer: text, isReplay: false }
    } catch (error) {
      if (error instanceof AlreadyAnswered) return replay(error.kept, fingerprint)
      throw error
    } finally {
      running.delete(nameText)
    }
  }
}

/** A refusal does not use up the key, unless something was written about it: that must not happen twice either. */
function orRecorded(error: unknown): Refusal {
  if (error instanceof Refusal && error.isRecorded) return error
  throw error
}

/** Another request answered before this one began. */
class AlreadyAnswered extends Error {
  readonly kept: KeptAnswer

  constructor(kept: KeptAnswer) {
    super('This request has been answered')
    this.kept = kept
  }
}

/** Two statements, not one: the second must see what the previous holder of the lock committed. */
async function claim(db: Db, name: RequestName) {
  if (!(await tryLockRequest(db, name))) throw inProgress()
  await requireUnanswered(db, name)
}

async function requireUnanswered(db: Db, name: RequestName) {
  const kept = await findKeptAnswer(db, name)
  if (kept) throw new AlreadyAnswered(kept)
}

const inProgress = () => new Refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 })

function replay({ fingerprint, answer }: KeptAnswer, wanted: Buffer): Answered {
  if (!fingerprint.equals(wanted)) throw new Refusal('IDEMPOTENCY_MISMATCH')
  return { answer: answer.startsWith(refusedMark) ? readRefusal(answer) : answer, isReplay: true }
}

/** No answer of an operation begins like this. */
const refusedMark = '{"refused":'

/** How a refusal is kept as an answer. */
export const writeRefusal = ({ code, message, field, status }: Refusal) =>
  JSON.stringify({ refused: { code, message, field, status } })

function readRefusal(text: string): Refusal {
  const { code, ...options } = JSON.parse(text).refused
  return new Refusal(code, options)
}

/** All keys of an organisation are one caller, so that a key can be rotated before a request is repeated. */
const callerOf = ({ type, id }: Actor) => (type === 'API' ? type : `${type} ${id}`)

const fingerprintOf = (request: FastifyRequest) =>
  createHash('sha256').update(`${request.method} ${request.url}\n`).update(rawBodyOf(request)).digest()

const forgetAtOnce = 1_000

/** Deletes expired answers and unused limits. */
export async function forgetExpired({ database }: Pick<Service, 'database'>, stopping: AbortSignal) {
  while (!stopping.aborted && (await forgetOldAnswers(database.everyone, forgetAtOnce)) === forgetAtOnce);
  await forgetFullBuckets(database.everyone)
}
