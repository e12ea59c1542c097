import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { chanceOf, happens } from './chance.ts'

/** A receiver of webhooks on this machine that is busy now and then, so that the log has something to show. */
export async function startReceiver(seed: number) {
  const tally = { received: 0, refused: 0 }
  const refusedBefore = new Set<string>()

  async function receive(request: IncomingMessage, response: ServerResponse) {
    request.resume()
    const { searchParams } = new URL(request.url ?? '/', 'http://receiver')
    const check = searchParams.get('check')
    if (check) return response.end(check)
    const id = String(request.headers['webhook-id'])
    const random = chanceOf(seed, `webhook ${id}`)
    await pause(5 + 40 * (happens(random, 0.1) ? 10 : 1))
    // Each message is refused at most once; the next attempt succeeds.
    if (happens(random, 0.04) && !refusedBefore.has(id)) {
      refusedBefore.add(id)
      tally.refused += 1
      return response.writeHead(503).end('Too busy, please come again')
    }
    tally.received += 1
    return response.end('Thank you')
  }

  const server = createServer((request, response) => void receive(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/waybill`,
    tally,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
