import { once } from 'node:events'
import http, { type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/*
 * Receives webhooks in its own process, on as many ports as requested, and records when each arrived. Requests to /hole
 * are accepted and never answered.
 */

/** Event, webhook, and when it had arrived completely, in milliseconds since 1970. */
export type Arrival = [eventId: number, webhookId: number, at: number]

/** Asks the receiver to report when this many have arrived, or what has arrived. */
export type Question = { expect: number } | 'arrivals'
export type Reply = { ports: number[] } | 'counting' | 'all here' | { arrivals: Arrival[] }

let arrivals: Arrival[] = []
let expected = Number.POSITIVE_INFINITY

const tell = (reply: Reply) => process.send?.(reply)

const receive: RequestListener = (request, response) => {
  request.resume()
  request.on('end', () => {
    if (request.url?.startsWith('/hole')) return
    const [, , eventId, webhookId] = String(request.headers['webhook-id']).split('_')
    arrivals.push([Number(eventId), Number(webhookId), performance.timeOrigin + performance.now()])
    response.end()
    if (arrivals.length === expected) tell('all here')
  })
}

process.on('message', (question: Question) => {
  if (question === 'arrivals') tell({ arrivals })
  else {
    arrivals = []
    expected = question.expect
    tell('counting')
  }
})
process.on('disconnect', () => process.exit())

const servers = Array.from({ length: Number(process.argv[2]) }, () =>
  http.createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, receive).listen(0, '127.0.0.1'),
)
await Promise.all(servers.map((server) => server.listening || once(server, 'listening')))
tell({ ports: servers.map((server) => (server.address() as AddressInfo).port) })
