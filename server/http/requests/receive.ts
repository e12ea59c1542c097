import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import type { Operation } from '../../../contract/operations.ts'
import { reader } from '../../../contract/read/reader.ts'
import { openable } from '../../../core/web-address.ts'
import type { Context } from '../../context.ts'
import { type createBodyReader, jsonLimits, strangerLimits } from './body.ts'
import type { Identify } from './identify.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { createUploadReader } from './upload.ts'

/** Sets or clears the session cookie. */
export type GiveCookie = (token: string | undefined) => void

/** What the browser knows itself by, if it has been here before, and a way to tell it. */
export interface DeviceCookie {
  token: string | undefined
  give(token: string): void
}

/** A handler, whatever its operation. */
export type Handle = (context: Context, call: object) => Promise<object>

/** What is needed to receive a request. */
export interface Desk {
  identify: Identify
  cookie: SessionCookie
  deviceCookie: SessionCookie
  readBody: ReturnType<typeof createBodyReader>
  readUpload: ReturnType<typeof createUploadReader>
  /** Our public address, if configured. */
  publicUrl: string | undefined
}

/** A body may take minutes to arrive. If it took longer than this, we ask again whether its sender is still signed in. */
export const trustedMs = 500

export type Received = Awaited<ReturnType<ReturnType<typeof createReceiver>>>

/** Finds out who calls and what they want. The body is read last, so never for a caller refused by the headers. */
export function createReceiver(desk: Desk, operation: Operation, handle: Handle) {
  const { identify, cookie, deviceCookie, readBody, readUpload, publicUrl } = desk
  const { upload, setsCookie, formOf } = operation
  const read = inputReader(operation)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { context, rights, ...whose } = await identify(operation, request, reply)
    const { organisation, deviceId } = whose
    const identifiedAt = performance.now()
    const sent = upload && organisation && (await readUpload(request, reply, context.actor, organisation.id, upload))
    const body =
      operation.method === 'GET' || upload
        ? {}
        : await readBody(request, reply, bodyLimits(operation), formOf !== undefined)
    if (reply.raw.destroyed) throw new Refusal('BAD_REQUEST', { message: 'The client disconnected' })
    if (performance.now() - identifiedAt > trustedMs && !(await rights()))
      throw new Refusal('UNAUTHORIZED', { message: 'The sender was signed out while the request arrived' })
    const giveCookie: GiveCookie = (token) => void reply.header('set-cookie', cookie.write(token))
    const device: DeviceCookie = {
      token: deviceCookie.read(request.headers.cookie),
      give: (token) => void reply.header('set-cookie', deviceCookie.write(token)),
    }
    const ownUrl = publicUrl ?? openable(`${request.protocol}://${request.host}`)
    const given = { ...whose, ownUrl, ...(sent && { sent }), ...(setsCookie && { giveCookie, device }) }
    const input = () => ({ ...read(request, body), ...given })
    const answer = async (context: Context) => ({ success: true, ...(await handle(context, input())) })
    return { context, rights, organisation, deviceId, input, answer }
  }
}

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

/** An impossible id in a path is treated as unknown. */
function orMissing<Params>(read: () => Params, missing: Operation['missing']): Params {
  try {
    return read()
  } catch (error) {
    throw missing ? new Refusal(missing) : error
  }
}
