import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/*
 * A pooler that shares few connections to the database among many clients, as PgBouncer does: by session or by
 * transaction. Of what a client asks for when it connects it knows only a few parameters and refuses the others.
 */

export interface PoolerOptions {
  mode: 'session' | 'transaction'
  /** Which of the free connections is taken next. */
  takes?: 'last' | 'first'
  /** Whether what was set on a connection is forgotten whenever it changes hands (`server_reset_query_always`). */
  resets?: boolean
  /** How many connections to the database it has, from the start. */
  count?: number
}

interface Message {
  type: string
  bytes: Buffer
}

/** A connection to the database. */
interface Backend {
  send(bytes: Buffer): void
  hear: (message: Message) => void
}

const knownParameters = ['user', 'database', 'application_name', 'client_encoding', 'timezone', 'datestyle']

export async function startPooler(t: TestContext, databaseUrl: string, options: PoolerOptions) {
  const { mode, takes = 'last', resets = false, count = 8 } = options
  const url = new URL(databaseUrl)
  const target = { path: `${url.searchParams.get('host')}/.s.PGSQL.${url.port || 5432}` }
  const sockets = new Set<Socket>()
  const queue: ((backend: Backend) => void)[] = []

  const hold = (socket: Socket) => sockets.add(socket.on('error', () => {}))

  async function open(): Promise<Backend> {
    const socket = net.connect(target)
    hold(socket)
    const parameters = ['user', decodeURIComponent(url.username), 'database', url.pathname.slice(1)]
    const backend: Backend = { send: (bytes) => socket.write(bytes), hear: () => {} }
    socket.on(
      'data',
      readMessages((message) => backend.hear(message)),
    )
    await converse(backend, frame('', Buffer.from(`\0\x03\0\0${parameters.join('\0')}\0\0`)))
    return backend
  }

  const free = await Promise.all(Array.from({ length: count }, open))

  async function take(): Promise<Backend> {
    const next = takes === 'last' ? free.pop() : free.shift()
    if (next) return next
    const { promise, resolve } = Promise.withResolvers<Backend>()
    queue.push(resolve)
    return promise
  }

  async function giveBack(backend: Backend) {
    if (resets || mode === 'session') await converse(backend, frame('Q', Buffer.from('discard all\0')))
    const next = queue.shift()
    if (next) next(backend)
    else free.push(backend)
  }

  const server = net.createServer((client) => {
    hold(client)
    let held: Backend | undefined
    let taking: Promise<Backend> | undefined
    let unanswered = 0

    const welcome = (parameters: string[]) => {
      const unknown = parameters.find((name, index) => index % 2 === 0 && !knownParameters.includes(name))
      if (!unknown) return client.write(Buffer.concat([frame('R', Buffer.alloc(4)), frame('Z', Buffer.from('I'))]))
      const refusal = `SFATAL\0C08P01\0Munsupported startup parameter: ${unknown}\0\0`
      return client.end(frame('E', Buffer.from(refusal)))
    }

    async function pass({ type, bytes }: Message) {
      if (type === 'X') return void client.end()
      if (type === 'Q' || type === 'S') unanswered += 1
      taking ??= take()
      held = await taking
      held.hear = answer
      held.send(bytes)
    }

    function answer({ type, bytes }: Message) {
      client.write(bytes)
      if (type !== 'Z') return
      unanswered -= 1
      const isOver = unanswered === 0 && bytes.at(-1) === 'I'.charCodeAt(0)
      if (isOver && mode === 'transaction') leave()
    }

    function leave() {
      const backend = held
      held = undefined
      taking = undefined
      if (backend) giveBack(backend)
    }

    // One after the other, although it may take a while to get a connection.
    let order = Promise.resolve()
    client.on('close', () => order.then(leave))
    client.on(
      'data',
      readMessages((message) => {
        order = order.then(async () => void (await pass(message)))
      }, welcome),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return url.href
}

/** A message of PostgreSQL: its type, its length, its content. The first one has no type. */
function frame(type: string, content: Buffer) {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}

/** Sends something and waits until the server is ready again. */
async function converse(backend: Backend, bytes: Buffer) {
  const { promise, resolve } = Promise.withResolvers<void>()
  backend.hear = ({ type }) => type === 'Z' && resolve()
  backend.send(bytes)
  await promise
}

/** Cuts what arrives into messages. If `onStart` is given, the first one has no type and says the parameters. */
function readMessages(onMessage: (message: Message) => void, onStart?: (parameters: string[]) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = Boolean(onStart)
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (true) {
      const typeLength = isFirst ? 0 : 1
      if (rest.length < typeLength + 4) return
      const length = typeLength + rest.readUInt32BE(typeLength)
      if (rest.length < length) return
      const bytes = rest.subarray(0, length)
      rest = rest.subarray(length)
      if (isFirst) onStart?.(bytes.subarray(8).toString().split('\0').slice(0, -2))
      else onMessage({ type: String.fromCharCode(bytes[0] as number), bytes })
      isFirst = false
    }
  }
}
