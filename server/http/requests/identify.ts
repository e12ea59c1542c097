import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import type { Operation } from '../../../contract/operations.ts'
import { type Context, contextOf, nowhere, type Origin, type Service, system } from '../../context.ts'
import { allowanceOf, createAllowances } from '../limits/allowances.ts'
import type { Limits } from '../limits/limits.ts'
import { noteCaller } from './access-log.ts'
import { type Authenticate, credentialIn, driverTokenPrefix, readCredential, requireScope } from './credentials.ts'
import { refuseOtherSites, requireOwnPages, type SessionCookie } from './session-cookie.ts'

/** How the kinds of callers are recognised. */
export interface Authenticators<Organisation> {
  key: Authenticate<Organisation>
  driver: Authenticate<Organisation>
  /** By the key in the path. */
  device: Authenticate<Organisation>
  session: Authenticate<Organisation>
}

/** Who calls, and a context that sees only what they are allowed to see. */
export function createIdentifier<Organisation extends { id: number }>(
  service: Service,
  authenticators: Authenticators<Organisation>,
  limits: Limits,
  cookie: SessionCookie,
) {
  const { publicUrl } = service.config
  const nobody: Context = {
    ...service,
    db: service.database.everyone,
    actor: system,
    origin: nowhere,
    announceEvents: () => {},
    announceToo: () => {},
    announceChanges: () => {},
  }
  const countCall = createAllowances()
  /** The streams of one caller wake together and ask the same question. */
  const asking = new Map<string, Promise<readonly string[] | undefined>>()
  return async (operation: Operation, request: FastifyRequest, reply: FastifyReply) => {
    const { method, access, scope, setsCookie, upload } = operation
    const allowance = allowanceOf(operation)
    if (access === 'anybody') {
      if (setsCookie) refuseOtherSites(request, publicUrl)
      // Before it is looked up: a wrong one that is opened again and again costs nothing either.
      if (allowance) countCall(allowance, linkIn(request) ?? '')
      return { context: { ...nobody, origin: originOf(request) }, rights: async () => [] }
    }
    const kind = credentialKind(access, request, cookie)
    const authenticate = authenticators[kind]
    const credential = readers[kind](request, cookie)
    if (kind === 'session' && method !== 'GET') requireOwnPages(request, publicUrl, upload?.types)
    const lookUp = () => authenticate(credential)
    const looked =
      kind === 'key'
        ? limits.tryKey(request.ip, credential, lookUp)
        : limits.tryRandom(request.ip, () => credential, lookUp)
    const caller = await looked.catch((error) => {
      // The browser need not send an ended session again.
      if (kind === 'session' && error instanceof Refusal && error.status === 401)
        reply.header('set-cookie', cookie.write(undefined))
      throw error
    })
    noteCaller(request, { organisationId: caller.organisation.id, actor: caller.actor })
    if (allowance && caller.deviceId !== undefined) countCall(allowance, String(caller.deviceId))
    await limits.countRequest(caller.organisation.id, reply)
    if (scope) requireScope(caller, scope)
    const { organisation, actor, scopes, sessionId, deviceId } = caller
    const context = contextOf(service, organisation.id, actor, originOf(request))
    const rights = () =>
      asking.getOrInsertComputed(credential, () =>
        authenticate(credential)
          .then(({ scopes }) => scopes, noneIfRefused)
          .finally(() => asking.delete(credential)),
      )
    return { context, organisation, scopes, sessionId, deviceId, rights }
  }
}

const longestAgent = 200

const originOf = ({ ip, headers }: FastifyRequest): Origin => ({
  address: ip,
  agent: headers['user-agent']?.slice(0, longestAgent) ?? null,
})

/** The secret of a public link stands in the path. */
export function linkIn({ params }: Pick<FastifyRequest, 'params'>): string | undefined {
  const { uuid, secret = uuid } = params as { uuid?: string; secret?: string }
  return secret
}

export type Identify = ReturnType<typeof createIdentifier>

type CredentialKind = keyof Authenticators<unknown>

/** A key takes precedence over a session. Operations for people only do not accept a key. */
function credentialKind(
  access: Operation['access'],
  { headers }: FastifyRequest,
  cookie: SessionCookie,
): CredentialKind {
  if (access === 'driver' || access === 'device') return access
  if (access === 'person') return 'session'
  if (headers.authorization === undefined) return cookie.read(headers.cookie) === undefined ? 'key' : 'session'
  const isDevice = access === 'member' && credentialIn(headers.authorization).startsWith(driverTokenPrefix)
  return isDevice ? 'driver' : 'key'
}

const readHeader = ({ headers }: FastifyRequest) => readCredential(headers.authorization)

const readers: Record<CredentialKind, (request: FastifyRequest, cookie: SessionCookie) => string> = {
  key: readHeader,
  driver: readHeader,
  device: ({ params }) => (params as { deviceKey: string }).deviceKey,
  session({ headers }, cookie) {
    const token = headers.authorization === undefined ? cookie.read(headers.cookie) : undefined
    if (token === undefined)
      throw new Refusal('UNAUTHORIZED', {
        message: 'This needs a signed-in person, with a session cookie',
      })
    return token
  },
}

/** Our own errors do not count against the caller. */
function noneIfRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}
