import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/errors.ts'
import type { Upload } from '../../contract/file.ts'
import {
  type Answer,
  type Input,
  type Operation,
  type OperationName,
  type Operations,
  operations,
} from '../../contract/operations.ts'
import type { Context, Service } from '../context.ts'
import type { Download } from './answers/download.ts'
import { createResponders, type Page } from './answers/respond.ts'
import type { StreamReader } from './answers/stream.ts'
import { createLimits } from './limits/limits.ts'
import { forBrowsers } from './pages/for-browsers.ts'
import { createBodyReader } from './requests/body.ts'
import { type Authenticators, createIdentifier } from './requests/identify.ts'
import { createReceiver, type DeviceCookie, type GiveCookie, type Handle } from './requests/receive.ts'
import { createDeviceCookie, createSessionCookie } from './requests/session-cookie.ts'
import { createUploadReader, type KeepPicture, type KeptPicture } from './requests/upload.ts'

/** What a handler gets besides the context: who calls, and what the caller sent, read and checked. */
export type Call<Name extends OperationName, Organisation> = Input<Name> & {
  headers: Record<string, string | undefined>
  /** Where the request came from. */
  address: string
  /** Our address as the caller sees it, for links in the answer. */
  ownUrl: string
} & (Operations[Name] extends { access: 'anybody' }
    ? unknown
    : { organisation: Organisation; scopes: readonly string[] }) &
  (Operations[Name] extends { streams: true } ? { reader: StreamReader } : unknown) &
  (Operations[Name] extends { upload: Upload } ? { sent: KeptPicture } : unknown) &
  (Operations[Name] extends { access: 'person' } ? { sessionId: number } : unknown) &
  (Operations[Name] extends { access: 'driver' | 'device' } ? { deviceId: number } : unknown) &
  (Operations[Name] extends { setsCookie: true } ? { giveCookie: GiveCookie; device: DeviceCookie } : unknown)

export type Handler<Name extends OperationName, Organisation> = (
  context: Context,
  call: Call<Name, Organisation>,
) => Promise<Result<Name>>

type Result<Name extends OperationName> = Operations[Name] extends { streams: true }
  ? AsyncIterable<string>
  : Operations[Name] extends { download: readonly string[] }
    ? Download
    : Operations[Name] extends { page: true }
      ? Page
      : Operations[Name] extends { csv: true }
        ? Answer<Name> | Download
        : Answer<Name>

/** One handler per operation; the compiler names the one that is missing. */
export type Handlers<Organisation> = { [Name in OperationName]: Handler<Name, Organisation> }

/** Mounts every operation of the table, and a clear 405 for every other method on its path. */
export function mountOperations<Organisation extends { id: number }>(
  app: FastifyInstance,
  service: Service,
  authenticators: Authenticators<Organisation>,
  handlers: Handlers<Organisation>,
  keepPicture: KeepPicture,
  closing: AbortSignal,
) {
  const { rateLimit, publicUrl, dataFolder } = service.config
  const limits = createLimits(rateLimit, service.database.hasty)
  const cookie = createSessionCookie(publicUrl)
  const identify = createIdentifier(service, authenticators, limits, cookie)
  const readUpload = createUploadReader(join(dataFolder, 'uploads'), keepPicture, closing)
  const deviceCookie = createDeviceCookie(publicUrl)
  const desk = { identify, cookie, deviceCookie, readBody: createBodyReader(), readUpload, publicUrl }
  const responderOf = createResponders(service, limits, closing)

  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const handle = handlers[name] as unknown as Handle
    const receive = createReceiver(desk, operation, handle)
    const respond = responderOf(operation, handle)
    app.route({
      method: operation.method,
      url: operation.path,
      config: { operation: name },
      handler: forBrowsers(operation, service.log, async (request, reply) =>
        respond(await receive(request, reply), request, reply),
      ),
    })
  }
  refuseOtherMethods(app)
}

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const countParameters = (path: string) => path.split(':').length

/** Every path with its methods. As in the router, one without parameters goes before one whose parameters fit it. */
const places = [...Map.groupBy(Object.values<Operation>(operations), ({ path }) => path)]
  .map(([path, all]) => ({
    path,
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
    allowed: all.map(({ method }) => method as string),
  }))
  .sort((one, other) => countParameters(one.path) - countParameters(other.path))

/**
 * Wrong methods have no route and get to the handler for those, which calls `refuseMethod`: a route for each of them took
 * a tenth of the server's start. Only one that would reach another operation, whose parameter fits the path, has a route.
 */
function refuseOtherMethods(app: FastifyInstance) {
  for (const place of places) {
    const { path, allowed } = place
    const reachesAnother = (method: string) =>
      places.some((other) => other.allowed.includes(method) && other.pattern.test(path))
    const method = methods.filter((method) => !allowed.includes(method) && reachesAnother(method))
    if (method.length > 0) app.route({ method, url: path, handler: (_, reply) => refuse(place, reply) })
  }
}

/** Throws if the address is one of ours and supports only other methods. */
export function refuseMethod({ method, url }: FastifyRequest, reply: FastifyReply) {
  const [address = ''] = url.split('?')
  const place = places.find(({ pattern }) => pattern.test(address))
  // What supports GET supports HEAD.
  const wanted = method === 'HEAD' ? 'GET' : method
  if (place && !place.allowed.includes(wanted) && methods.includes(wanted)) refuse(place, reply)
}

function refuse({ allowed }: (typeof places)[number], reply: FastifyReply): never {
  reply.header('allow', allowed.join(', '))
  throw new Refusal('METHOD_NOT_ALLOWED', { message: `This address supports ${allowed.join(' and ')}` })
}
