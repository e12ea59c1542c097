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
import { openable } from '../../core/web-address.ts'
import type { Context, Service } from '../context.ts'
import { createBodyReader, jsonLimits, strangerLimits } from './body.ts'
import { announceChanges } from './changes.ts'
import { createOnce, readIdempotencyKey } from './idempotency.ts'
import { type Authenticators, createIdentifier } from './identify.ts'
import { createLimits } from './limits.ts'
import { secretBlanker } from './secrets.ts'
import { createSessionCookie } from './session-cookie.ts'
import { createStreams, type StreamReader } from './stream.ts'

/** What a handler gets beside the context: whose call it is, and what the caller sent, read and checked. */
export type Call<Name extends OperationName, Organisation> = Input<Name> & {
  headers: Record<string, string | undefined>
  /** Where the request came from. */
  address: string
  /** Where the caller reaches us, for links in the answer. */
  ownUrl: string
} & (Operations[Name] extends { access: 'anybody' }
    ? unknown
    : { organisation: Organisation; scopes: readonly string[] }) &
  (Operations[Name] extends { streams: true } ? { reader: StreamReader } : unknown) &
  (Operations[Name] extends { access: 'person' } ? { sessionId: number } : unknown) &
  (Operations[Name] extends { setsCookie: true } ? { giveCookie: GiveCookie } : unknown)

/** Hands the token of a session to the browser, or takes it away. */
export type GiveCookie = (token: string | undefined) => void

export type Handler<Name extends OperationName, Organisation> = (
  context: Context,
  call: Call<Name, Organisation>,
) => Promise<Operations[Name] extends { streams: true } ? AsyncIterable<string> : Answer<Name>>

/** One handler per operation; the compiler names the one that is missing. */
export type Handlers<Organisation> = { [Name in OperationName]: Handler<Name, Organisation> }

/** Mounts every operation of the table, and a clear 405 for every other method on its path. */
export function mountOperations<Organisation extends { id: number }>(
  app: FastifyInstance,
  service: Service,
  authenticators: Authenticators<Organisation>,
  handlers: Handlers<Organisation>,
  closing: AbortSignal,
) {
  const limits = createLimits(service.config.rateLimit, service.database.hasty)
  const { publicUrl } = service.config
  const cookie = createSessionCookie(publicUrl)
  const identify = createIdentifier(service, authenticators, limits, cookie)
  const readBody = createBodyReader()
  const openStream = createStreams(closing)
  const answerOnce = createOnce()

  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const { method, path, changes } = operation
    const read = inputReader(operation)
    const withoutSecrets = secretBlanker(operation.reply)
    const handle = handlers[name] as unknown as (context: Context, call: object) => Promise<object>

    /** The body comes last: of whoever is refused by their headers it is never kept. */
    const receive = async (request: FastifyRequest, reply: FastifyReply) => {
      const { context, rights, ...whose } = await identify(operation, request, reply)
      const body = method === 'GET' ? {} : await readBody(request, reply, bodyLimits(operation))
      if (reply.raw.destroyed) throw new Refusal('BAD_REQUEST', { message: 'The client has left' })
      const giveCookie: GiveCookie = (token) => void reply.header('set-cookie', cookie.write(token))
      const ownUrl = publicUrl ?? openable(`${request.protocol}://${request.host}`)
      const input = () => ({ ...read(request, body), ...whose, ownUrl, ...(operation.setsCookie && { giveCookie }) })
      const answer = async (context: Context) => ({ success: true, ...(await handle(context, input())) })
      return { context, rights, organisation: whose.organisation, input, answer }
    }

    /** For a reader who stays. */
    const stream = async (request: FastifyRequest, reply: FastifyReply) => {
      const { context, rights, input } = await receive(request, reply)
      return openStream(reply, context.actor, rights, (reader) => handle(context, { ...input(), reader }))
    }

    /** For somebody we do not know, or not yet. */
    const answerAnybody = async (request: FastifyRequest, reply: FastifyReply) => {
      const { context, answer } = await receive(request, reply)
      return isSignIn(operation) ? limits.signIn(request.ip, undefined, () => answer(context)) : answer(context)
    }

    /** For an organisation; once, if the request has a key to be known by. */
    const answerOrganisation = async (request: FastifyRequest, reply: FastifyReply) => {
      const { context, organisation, answer } = await receive(request, reply)
      const { id: organisationId } = organisation as Organisation
      const key = takesIdempotencyKey(operation) ? readIdempotencyKey(request) : undefined
      if (key === undefined) {
        const given = await answer(context)
        announceChanges(service.signal, organisationId, changes)
        return given
      }
      const { text, isReplay } = await answerOnce({ context, organisationId, key, request, withoutSecrets, answer })
      if (isReplay) reply.header('idempotent-replayed', 'true')
      else announceChanges(service.signal, organisationId, changes)
      return reply.type('application/json; charset=utf-8').send(text)
    }

    const respond = operation.streams ? stream : operation.access === 'anybody' ? answerAnybody : answerOrganisation
    app.route({ method, url: path, config: { operation: name }, handler: respond })
  }
  refuseOtherMethods(app)
}

/** What anybody may call and can be refused for who they are. */
const isSignIn = ({ access, refuses }: Operation) => access === 'anybody' && refuses.includes('UNAUTHORIZED')

const bodyLimits = ({ access }: Operation) => (access === 'anybody' ? strangerLimits : jsonLimits)

function inputReader({ params, query, body, missing }: Operation) {
  const readParams = params && reader(params)
  const readQuery = query && reader(query)
  const readBody = body && reader(body)
  return (request: FastifyRequest, body: unknown) => ({
    params: readParams && orMissing(() => readParams(request.params), missing),
    query: readQuery?.(request.query),
    body: readBody?.(body),
    headers: request.headers,
    address: request.ip,
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
