import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/errors.ts'
import {
  type Answer,
  type Input,
  type Operation,
  type OperationName,
  type Operations,
  operations,
  takesIdempotencyKey,
} from '../../contract/operations.ts'
import { reader } from '../../contract/schema.ts'
import type { Context, Service } from '../context.ts'
import { type Authenticate, readCredential, requireScope } from './auth.ts'
import { announceChanges } from './changes.ts'
import { createOnce, readIdempotencyKey } from './idempotency.ts'
import { createLimits, type Limits } from './limits.ts'
import { secretBlanker } from './secrets.ts'
import { createSessionCookie, refuseOtherSites, requireOwnPages, type SessionCookie } from './session-cookie.ts'

/** What a handler gets beside the context: whose call it is, and what the caller sent, read and checked. */
export type Call<Name extends OperationName, Organisation> = Input<Name> & {
  headers: Record<string, string | undefined>
} & (Operations[Name] extends { access: 'anybody' }
    ? unknown
    : { organisation: Organisation; scopes: readonly string[] }) &
  (Operations[Name] extends { streams: true } ? { reader: StreamReader } : unknown) &
  (Operations[Name] extends { access: 'person' } ? { sessionId: number } : unknown) &
  (Operations[Name] extends { setsCookie: true } ? { giveCookie: GiveCookie } : unknown)

/** Hands the token of a session to the browser, or takes it away. */
export type GiveCookie = (token: string | undefined) => void

/** Whoever reads a stream, which lasts longer than what was true when it began. */
export interface StreamReader {
  /** Aborted when nobody reads any more, or we stop. */
  gone: AbortSignal
  /** What they may do now; undefined if what they came with no longer works. */
  rights(): Promise<readonly string[] | undefined>
}

export type Handler<Name extends OperationName, Organisation> = (
  context: Context,
  call: Call<Name, Organisation>,
) => Promise<Operations[Name] extends { streams: true } ? AsyncIterable<string> : Answer<Name>>

/** One handler per operation; the compiler names the one that is missing. */
export type Handlers<Organisation> = { [Name in OperationName]: Handler<Name, Organisation> }

/** How the kinds of callers are recognised. */
export interface Authenticators<Organisation> {
  key: Authenticate<Organisation>
  driver: Authenticate<Organisation>
  session: Authenticate<Organisation>
}

/** Mounts every operation of the table, and a clear 405 for every other method on its path. */
export function mountOperations<Organisation extends { id: number }>(
  app: FastifyInstance,
  service: Service,
  authenticators: Authenticators<Organisation>,
  handlers: Handlers<Organisation>,
  closing: AbortSignal,
) {
  const limits = createLimits(service.config.rateLimit, service.database.hasty)
  const cookie = createSessionCookie(service.config.publicUrl)
  const identify = identifier(service, authenticators, limits, cookie)
  const answerOnce = createOnce()
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const read = inputReader(operation)
    const withoutSecrets = secretBlanker(operation.reply)
    const handle = handlers[name] as unknown as (context: Context, call: object) => Promise<object>
    app.route({
      method: operation.method,
      url: operation.path,
      config: { operation: name },
      handler: async (request, reply) => {
        const { context, rights, ...whose } = await identify(operation, request, reply)
        if (operation.streams) {
          const gone = goneSignal(reply, closing)
          const source = await handle(context, { ...read(request), ...whose, reader: { gone, rights } })
          return sendStream(reply, source, gone)
        }
        const giveCookie: GiveCookie = (token) => void reply.header('set-cookie', cookie.write(token))
        const answer = async (context: Context) => ({
          success: true,
          ...(await handle(context, { ...read(request), ...whose, ...(operation.setsCookie && { giveCookie }) })),
        })
        const key = takesIdempotencyKey(operation) ? readIdempotencyKey(request) : undefined
        if (isSignIn(operation)) return limits.signIn(request.ip, undefined, () => answer(context))
        if (!whose.organisation) return answer(context)
        const organisationId = whose.organisation.id
        if (key === undefined) {
          const given = await answer(context)
          announceChanges(service.signal, organisationId, operation.changes)
          return given
        }
        const { text, isReplay } = await answerOnce({ context, organisationId, key, request, withoutSecrets, answer })
        if (isReplay) reply.header('idempotent-replayed', 'true')
        else announceChanges(service.signal, organisationId, operation.changes)
        return reply.type('application/json; charset=utf-8').send(text)
      },
    })
  }
  refuseOtherMethods(app)
}

/** What anybody may call and can be refused for who they are. */
const isSignIn = ({ access, refuses }: Operation) => access === 'anybody' && refuses.includes('UNAUTHORIZED')

/** Who calls, and a context that sees only what they may see. */
function identifier<Organisation extends { id: number }>(
  service: Service,
  authenticators: Authenticators<Organisation>,
  limits: Limits,
  cookie: SessionCookie,
) {
  const { publicUrl } = service.config
  const nobody: Context = {
    ...service,
    db: service.database.everyone,
    actor: { type: 'SYSTEM', id: null, name: 'Waybill' },
    announceEvents: () => {},
  }
  return async ({ method, access, scope, setsCookie }: Operation, request: FastifyRequest, reply: FastifyReply) => {
    if (access === 'anybody') {
      if (setsCookie) refuseOtherSites(request, publicUrl)
      return { context: nobody, rights: async () => [] }
    }
    const kind = credentialKind(access, request, cookie)
    const authenticate = authenticators[kind]
    const credential = readers[kind](request, cookie)
    if (kind === 'session' && method !== 'GET') requireOwnPages(request, publicUrl)
    const caller = await limits
      .signIn(request.ip, credential, () => authenticate(credential))
      .catch((error) => {
        // A browser that goes on sending a dead session would be counted as somebody who guesses.
        if (kind === 'session' && error instanceof Refusal && error.status === 401)
          reply.header('set-cookie', cookie.write(undefined))
        throw error
      })
    await limits.countRequest(caller.organisation.id, reply)
    if (scope) requireScope(caller, scope)
    const { organisation, actor, scopes, sessionId } = caller
    const announceEvents = () => service.signal.announce(organisation.id)
    const context: Context = { ...service, db: service.database.of(organisation.id), actor, announceEvents }
    const rights = () => authenticate(credential).then(({ scopes }) => scopes, noneIfRefused)
    return { context, organisation, scopes, sessionId, rights }
  }
}

type CredentialKind = keyof Authenticators<unknown>

/** A key counts before a session. What is only for people takes no key. */
function credentialKind(
  access: Operation['access'],
  { headers }: FastifyRequest,
  cookie: SessionCookie,
): CredentialKind {
  if (access === 'driver' || access === 'person') return access === 'driver' ? 'driver' : 'session'
  return headers.authorization === undefined && cookie.read(headers.cookie) !== undefined ? 'session' : 'key'
}

const readHeader = ({ headers }: FastifyRequest) => readCredential(headers.authorization)

const readers: Record<CredentialKind, (request: FastifyRequest, cookie: SessionCookie) => string> = {
  key: readHeader,
  driver: readHeader,
  session({ headers }, cookie) {
    const token = headers.authorization === undefined ? cookie.read(headers.cookie) : undefined
    if (token === undefined)
      throw new Refusal('UNAUTHORIZED', {
        message: 'This needs a signed-in person, with a session cookie',
      })
    return token
  },
}

function inputReader({ params, query, body, missing }: Operation) {
  const readParams = params && reader(params)
  const readQuery = query && reader(query)
  const readBody = body && reader(body)
  return (request: FastifyRequest) => ({
    params: readParams && orMissing(() => readParams(request.params), missing),
    query: readQuery?.(request.query),
    body: readBody?.(request.body ?? {}),
    headers: request.headers,
  })
}

/** An id in a path that cannot be an id is one that nobody has. */
function orMissing<Params>(read: () => Params, missing: Operation['missing']): Params {
  try {
    return read()
  } catch (error) {
    throw missing ? new Refusal(missing) : error
  }
}

/** A fault of ours is no reason to think less of the caller. */
function noneIfRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}

/** By hand, not by AbortSignal.any: the process lives long, its readers come by the hundred thousand. */
function goneSignal({ raw }: FastifyReply, closing: AbortSignal): AbortSignal {
  const gone = new AbortController()
  const leave = () => {
    closing.removeEventListener('abort', leave)
    gone.abort()
  }
  if (raw.destroyed || closing.aborted) leave()
  else closing.addEventListener('abort', leave)
  raw.once('close', leave)
  return gone.signal
}

/** Whoever takes nothing for so long, though there is something to take, is cut off; they know where to resume. */
const mostStalledMs = 60_000
/** When we stop, so long for the last words of a stream whose reader takes them. */
const lastWordsMs = 500

/**
 * Sends as fast as the client reads, until either side has had enough. A stream is only closed once its source is, so
 * the source has to watch `gone`: a generator that waits for something else cannot be ended from outside.
 */
function sendStream(reply: FastifyReply, source: object, gone: AbortSignal) {
  const stream = Readable.from(source as AsyncIterable<string>)
  gone.addEventListener('abort', () => {
    const cut = setTimeout(() => stream.destroy(), lastWordsMs).unref()
    // A timer that still waits for readers who have left keeps hundreds of them in memory.
    stream.once('close', () => clearTimeout(cut))
  })
  reply.raw.setTimeout(mostStalledMs)
  reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no')
  return reply.type('text/event-stream; charset=utf-8').send(stream)
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

function refuseOtherMethods(app: FastifyInstance) {
  const taken = new Map<string, Set<string>>()
  for (const { path, method } of Object.values<Operation>(operations))
    taken.set(path, (taken.get(path) ?? new Set()).add(method))
  for (const [path, allowed] of taken) {
    const message = `This address supports ${[...allowed].join(' and ')}`
    app.route({
      method: methods.filter((method) => !allowed.has(method)),
      url: path,
      handler: (_, reply) => {
        reply.header('allow', [...allowed].join(', '))
        throw new Refusal('METHOD_NOT_ALLOWED', { message })
      },
    })
  }
}
