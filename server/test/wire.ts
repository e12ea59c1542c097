import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

const commit = Buffer.from('commit\0')
const goodbye = Buffer.from('X\0\0\0\x04')

/** What PostgreSQL sends on every connection when it stops. */
const shuttingDown = Buffer.from('E\0\0\0\x26SFATAL\0C57P01\0Mtold to shut down\0\0')

/** A connection to the database that can be cut at the worst moment: after a commit, before its answer arrives. */
export async function layWire(t: TestContext, databaseUrl: string) {
  const url = new URL(databaseUrl)
  const folder = url.searchParams.get('host')
  const target = folder
    ? { path: `${folder}/.s.PGSQL.${url.port || 5432}` }
    : { host: url.hostname, port: Number(url.port || 5432) }
  const sockets = new Set<Socket>()
  let cutsLeft = 0
  let silences = 0
  let isStopping = false
  let delayMs = 0

  const server = net.createServer((client) => {
    const database = net.connect(target)
    const laidAt = silences
    let isCommitting = false
    client.on('data', (chunk: Buffer) => {
      if (laidAt < silences) return
      isCommitting ||= chunk.includes(commit)
      if (isStopping && chunk.includes(goodbye)) client.write(shuttingDown)
      database.write(chunk)
    })
    database.on('data', (chunk) => {
      if (laidAt < silences) return
      if (isCommitting && cutsLeft > 0) {
        cutsLeft -= 1
        client.destroy()
      } else if (delayMs > 0) setTimeout(() => client.write(chunk), delayMs)
      else client.write(chunk)
      isCommitting = false
    })
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => laidAt < silences || other.destroy())
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    databaseUrl: url.href,
    /** The answer to the next commit that a connection sends for the first time never arrives. */
    cutNextCommit() {
      cutsLeft += 1
    },
    /** From now on the database stops just when a connection is closed by the client. */
    stopAtGoodbye() {
      isStopping = true
    },
    /** Resolves when every connection has ended. */
    closed: () => Promise.all([...sockets].map((socket) => socket.closed || once(socket, 'close'))),
    /** From now on every answer takes that much longer. */
    slowDown(ms: number) {
      delayMs = ms
    },
    /** Existing connections go silent without either side being told, as behind a firewall that lost its state. */
    fallSilent() {
      silences += 1
    },
  }
}
