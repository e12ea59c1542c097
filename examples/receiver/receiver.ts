import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookVerificationError } from '../../sdk/verify-webhook.js'

/*
 * A receiver of Waybill's webhooks, to copy and change: this file and sdk/verify-webhook.js are all it needs.
 * README.md beside it says how to try it.
 */

/** Shown once, when the webhook is made. Without it we can answer the check, but trust nobody. */
const secret = process.env['WEBHOOK_SECRET'] ?? ''
const port = Number(process.env['PORT'] ?? 8080)
const host = process.env['HOST'] ?? '127.0.0.1'

/** The part of an event this example uses; docs/events.md shows all of it. */
interface Event {
  triggerName: string
  awb: string
  sequence: number
  time: string
}

/** Your own work. It may take its time: the sender already has its answer. */
function handle({ triggerName, awb, sequence, time }: Event): void {
  console.log(`${time} ${triggerName} ${awb} (number ${sequence} of this task)`)
}

/**
 * The same message may come again: after an answer that got lost, or in a replay. Real receivers keep the ids in their
 * database, in the transaction that stores the work, so that a restart forgets neither.
 */
const seen = new Set<string>()
const remembered = 10_000

function isRepetition(id: string): boolean {
  if (seen.has(id)) return true
  seen.add(id)
  for (const oldest of seen) {
    if (seen.size <= remembered) break
    seen.delete(oldest)
  }
  return false
}

/** Waybill checks a url once before it stores it: returning the token proves that you expect its messages. */
function answerCheck(request: IncomingMessage, response: ServerResponse): void {
  const token = new URL(request.url ?? '/', 'http://localhost').searchParams.get('check') ?? ''
  response.setHeader('content-type', 'text/plain').end(token)
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Any answer but 2xx makes Waybill send the message again later, so nothing is lost by saying "not now".
  if (!secret) return answer(response, 503, 'WEBHOOK_SECRET is not set')

  const rawBody = await buffer(request)
  const event = verifyWebhook<Event>(request.headers, rawBody, secret)
  const isNew = !isRepetition(String(request.headers['webhook-id']))
  // Answer first: a sender that waits too long counts as refused, and sends again.
  answer(response, 204)
  if (isNew) handle(event)
}

function answer(response: ServerResponse, status: number, sentence = ''): void {
  response.writeHead(status).end(sentence)
}

const server = http.createServer((request, response) => {
  if (request.method === 'GET') return answerCheck(request, response)
  if (request.method !== 'POST') return answer(response, 405)
  return receive(request, response).catch((error) => {
    if (error instanceof WebhookVerificationError) return answer(response, 401, error.message)
    console.error(error)
    if (!response.headersSent) answer(response, 500)
  })
})

server.listen(port, host, () => {
  const { port } = server.address() as AddressInfo
  console.log(`Listening at http://${host}:${port}/${secret ? '' : ', for the check only: WEBHOOK_SECRET is not set'}`)
})
