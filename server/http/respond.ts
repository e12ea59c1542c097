import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/errors.ts'
import { type Operation, takesIdempotencyKey } from '../../contract/operations.ts'
import type { Service } from '../context.ts'
import { announceChanges } from '../topics.ts'
import { createDownloads, type Download } from './download.ts'
import { createOnce, readIdempotencyKey } from './idempotency.ts'
import type { Limits } from './limits.ts'
import type { Handle, Received } from './receive.ts'
import { secretBlanker } from './secrets.ts'
import { createStreams } from './stream.ts'

/* Every operation ends in one of five ways: a stream, bytes, a public answer, a sign-in, an organisation's answer. */

export type Respond = (received: Received, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export function createResponders(service: Service, limits: Limits, closing: AbortSignal) {
  const openStream = createStreams(closing)
  const sendDownload = createDownloads()
  const answerOnce = createOnce()
  return (operation: Operation, handle: Handle): Respond => {
    if (operation.streams) return streamTo(openStream, handle)
    if (operation.download) return download(sendDownload, handle)
    if (operation.access === 'anybody') return operation.signsIn ? answerSignIn(limits) : answerAnybody
    return answerOrganisation(service, answerOnce, operation)
  }
}

/** A stream, for a reader that stays. */
const streamTo =
  (openStream: ReturnType<typeof createStreams>, handle: Handle): Respond =>
  async ({ context, deviceId, rights, input }, _, reply) =>
    openStream(reply, { actor: context.actor, deviceId }, rights, (reader) => handle(context, { ...input(), reader }))

/** Bytes. */
const download =
  (sendDownload: ReturnType<typeof createDownloads>, handle: Handle): Respond =>
  async ({ context, input }, request, reply) =>
    sendDownload(request, reply, (await handle(context, input())) as Download)

/** For unknown callers. */
const answerAnybody: Respond = async ({ context, answer }) => answer(context)

/** For callers who are signing in. */
const answerSignIn =
  (limits: Limits): Respond =>
  async ({ context, answer }, request) =>
    limits.signIn(request.ip, undefined, () => answer(context))

/** For an organisation; executed once if the request has an Idempotency-Key. */
function answerOrganisation(
  service: Service,
  answerOnce: ReturnType<typeof createOnce>,
  operation: Operation,
): Respond {
  const { changes } = operation
  const withoutSecrets = secretBlanker(operation.reply)
  return async ({ context, organisation, answer }, request, reply) => {
    const { id: organisationId } = organisation as { id: number }
    const key = takesIdempotencyKey(operation) ? readIdempotencyKey(request) : undefined
    if (key === undefined) {
      const given = await answer(context)
      announceChanges(service.notices, organisationId, changes)
      return given
    }
    const answered = await answerOnce({ context, organisationId, key, request, withoutSecrets, answer })
    if (answered.isReplay) reply.header('idempotent-replayed', 'true')
    if (answered.answer instanceof Refusal) throw answered.answer
    if (!answered.isReplay) announceChanges(service.notices, organisationId, changes)
    return reply.type('application/json; charset=utf-8').send(answered.answer)
  }
}
