import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import { type Operation, takesIdempotencyKey } from '../../../contract/operations.ts'
import type { Service } from '../../context.ts'
import { announceChanges } from '../../topics.ts'
import type { Limits } from '../limits/limits.ts'
import { createLongLists, shortList } from '../limits/long-lists.ts'
import { networkOf } from '../limits/networks.ts'
import type { Html } from '../pages/html.ts'
import { linkIn } from '../requests/identify.ts'
import type { Handle, Received } from '../requests/receive.ts'
import { createDownloads, type Download } from './download.ts'
import { createOnce, readIdempotencyKey } from './idempotency.ts'
import { secretBlanker } from './secrets.ts'
import { createStreams } from './stream.ts'

/* Every operation ends in one of seven ways: a stream, bytes, a table or an answer, a page, a public answer, a list, an organisation's answer. */

/** What an operation with a page returns. */
export interface Page {
  html: Html
  headers: Record<string, string>
}

export type Respond = (received: Received, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export function createResponders(service: Service, limits: Limits, closing: AbortSignal) {
  const openStream = createStreams(closing)
  const sendDownload = createDownloads()
  const answerOnce = createOnce()
  const makeLongList = createLongLists()
  const respondTo = (operation: Operation, handle: Handle): Respond => {
    if (operation.streams) return streamTo(openStream, handle)
    if (operation.download) return download(sendDownload, handle)
    if (operation.csv) return tableOrAnswer(sendDownload, handle)
    if (operation.page) return sendPage(handle)
    if (operation.access === 'anybody') return answerAnybody
    if (operation.method === 'GET' && operation.query?.properties['limit']) return answerList(makeLongList, operation)
    return answerOrganisation(service, answerOnce, operation)
  }
  return (operation: Operation, handle: Handle): Respond => {
    const respond = respondTo(operation, handle)
    return operation.signsIn ? countFailures(limits, respond) : respond
  }
}

/** For callers who bring a secret: wrong ones are counted. */
const countFailures =
  (limits: Limits, respond: Respond): Respond =>
  (received, request, reply) =>
    limits.tryRandom(
      request.ip,
      () => secretIn(received, request),
      () => respond(received, request, reply),
    )

/** What was guessed stands in the path or in the body. */
function secretIn({ input }: Received, request: FastifyRequest): string {
  const link = linkIn(request)
  if (link !== undefined) return link
  const { token, secret = token, phone, code } = (input() as { body: Record<string, unknown> }).body
  return String(secret ?? `${phone} ${code}`)
}

/** A stream, for a reader that stays. */
const streamTo =
  (openStream: ReturnType<typeof createStreams>, handle: Handle): Respond =>
  async ({ context, organisation, deviceId, rights, input }, request, reply) => {
    const address = organisation ? undefined : networkOf(request.ip)
    return openStream(reply, { actor: context.actor, deviceId, address }, rights, (reader) =>
      handle(context, { ...input(), reader }),
    )
  }

/** Bytes. */
const download =
  (sendDownload: ReturnType<typeof createDownloads>, handle: Handle): Respond =>
  async ({ context, input }, request, reply) =>
    sendDownload(request, reply, (await handle(context, input())) as Download)

/** A table as bytes if the caller asked for one, else JSON. */
const tableOrAnswer =
  (sendDownload: ReturnType<typeof createDownloads>, handle: Handle): Respond =>
  async ({ context, input }, request, reply) => {
    const given = await handle(context, input())
    return 'read' in given ? sendDownload(request, reply, given as Download) : { success: true, ...given }
  }

/** A page, made for this request. */
const sendPage =
  (handle: Handle): Respond =>
  async ({ context, input }, _, reply) => {
    const { html, headers } = (await handle(context, input())) as Page
    return reply.headers(headers).type('text/html; charset=utf-8').send(html.text)
  }

/** For unknown callers. */
const answerAnybody: Respond = async ({ context, answer }) => answer(context)

/** A part of a list, of an organisation. Who reads one list many times waits longer for it, and not for the others. */
const answerList =
  (makeLongList: ReturnType<typeof createLongLists>, { path }: Operation): Respond =>
  async ({ context, organisation, input, answer }, _, reply) => {
    const { limit = Number.POSITIVE_INFINITY } = (input() as { query: { limit?: number } }).query
    if (limit <= shortList) return answer(context)
    const { type, id } = context.actor
    const asker = { organisationId: organisation?.id ?? 0, name: `${type} ${id} ${path}` }
    const onGone = (callback: () => void) => {
      reply.raw.once('close', callback)
      return () => reply.raw.off('close', callback)
    }
    return makeLongList({ asker, onGone }, () => answer(context))
  }

/** For an organisation; executed once if the request has an Idempotency-Key. */
function answerOrganisation(
  service: Service,
  answerOnce: ReturnType<typeof createOnce>,
  operation: Operation,
): Respond {
  const { changes, inSteps = false } = operation
  const withoutSecrets = secretBlanker(operation.reply)
  return async ({ context, organisation, answer }, request, reply) => {
    const { id: organisationId } = organisation as { id: number }
    const key = takesIdempotencyKey(operation) ? readIdempotencyKey(request) : undefined
    if (key === undefined) {
      const given = await answer(context)
      announceChanges(service.notices, organisationId, changes)
      return given
    }
    const answered = await answerOnce({ context, organisationId, key, request, inSteps, withoutSecrets, answer })
    if (answered.isReplay) reply.header('idempotent-replayed', 'true')
    if (answered.answer instanceof Refusal) throw answered.answer
    if (!answered.isReplay) announceChanges(service.notices, organisationId, changes)
    return reply.type('application/json; charset=utf-8').send(answered.answer)
  }
}
