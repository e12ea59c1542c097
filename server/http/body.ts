import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/errors.ts'

const isJson = (type: string | undefined) =>
  type === undefined || /^\s*application\/(\w[\w.-]*\+)?json\s*(;|$)/i.test(type)

const rawBodies = new WeakMap<FastifyRequest, Buffer>()
const nothing = Buffer.alloc(0)

/** The bytes a request came with. */
export const rawBodyOf = (request: FastifyRequest) => rawBodies.get(request) ?? nothing

/** JSON, or nothing at all: an empty body is an empty object whatever its content type claims. */
export async function readBody(request: FastifyRequest, body: Buffer): Promise<unknown> {
  rawBodies.set(request, body)
  if (body.length === 0) return {}
  if (!isJson(request.headers['content-type'])) throw new Refusal('UNSUPPORTED_MEDIA_TYPE')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new Refusal('INVALID_JSON', { message: `The body is not valid JSON: ${(error as Error).message}` })
  }
}
