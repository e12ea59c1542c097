import { once } from 'node:events'
import { connect } from 'node:net'

/*
 * One connection that sends requests, reads complete responses, and does nothing else. The load generator shares two
 * cores with what it measures: every microsecond of the client is taken from the server.
 */

export interface Answered {
  status: number
  bytes: number
}

export interface HttpConnection {
  ask(request: string): Promise<Answered>
  close(): void
}

export async function openConnection(url: string): Promise<HttpConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let waiting: PromiseWithResolvers<Answered> | undefined
  let head = ''
  let status = 0
  let missing = 0
  let bytes = 0

  socket.on('data', (chunk: Buffer) => {
    missing -= chunk.length
    bytes += chunk.length
    if (status === 0) readHead(chunk)
    if (status === 0 || missing > 0) return
    const answered = waiting
    const answer = { status, bytes }
    waiting = undefined
    head = ''
    status = missing = bytes = 0
    answered?.resolve(answer)
  })
  const fail = (error?: Error) => waiting?.reject(error ?? new Error('The server closed the connection'))
  socket.on('error', fail)
  socket.on('close', () => fail())

  function readHead(chunk: Buffer) {
    head += chunk.toString('latin1')
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end + 2))?.[1]
    if (!length) throw new Error(`An answer of unknown length: ${head.slice(0, end)}`)
    status = Number(head.slice(9, 12))
    missing = end + 4 + Number(length) - bytes
  }

  return {
    ask(request) {
      waiting = Promise.withResolvers()
      socket.write(request)
      return waiting.promise
    },
    close: () => socket.destroy(),
  }
}

/** A request as it goes over the wire. */
export function requestText(method: string, path: string, key: string, body = ''): string {
  const head = [`${method} ${path} HTTP/1.1`, 'host: localhost', `authorization: ${key}`]
  if (body) head.push('content-type: application/json')
  return `${[...head, `content-length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`
}
