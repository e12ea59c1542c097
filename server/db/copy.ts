import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import type pg from 'pg'

/*
 * COPY as blocks of text, both ways, in bounded memory. `pg` speaks these messages already and only leaves out who
 * answers them: docs/decisions/0009 says why that is no reason for another package.
 */

/** What is collected before it is handed on; always whole rows. */
const blockBytes = 1 << 20

interface Connection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** What `pg` calls for a query of ours; the rest of its messages do not come in a COPY. */
interface Copying {
  submit(connection: Connection): void
  handleError(error: Error): void
  handleCommandComplete(): void
  handleReadyForQuery(): void
  handleCopyInResponse?(connection: Connection): void
  handleCopyData?(message: { chunk: Buffer }): void
}

function run(client: pg.Client, copying: Pick<Copying, 'handleCopyInResponse' | 'handleCopyData'>, text: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const query: Copying = {
    ...copying,
    submit: (connection) => connection.query(text),
    handleError: reject,
    handleCommandComplete: () => {},
    handleReadyForQuery: () => resolve(),
  }
  client.query(query as unknown as pg.Submittable)
  return promise
}

/** The socket to the server; if it closes, the transaction is rolled back. */
export const streamOf = (client: pg.Client) => (client as unknown as { connection: Connection }).connection.stream

/** Runs `copy … to stdout`. While two blocks wait to be taken, the database waits too. */
export async function copyOut(client: pg.Client, text: string, take: (block: Buffer) => Promise<void>): Promise<void> {
  const stream = streamOf(client)
  let block = Buffer.allocUnsafe(blockBytes)
  let used = 0
  let waiting = 0
  let taken = Promise.resolve()
  let failed = false

  function handOn() {
    const full = block.subarray(0, used)
    block = Buffer.allocUnsafe(blockBytes)
    used = 0
    waiting += 1
    if (waiting > 1) stream.pause()
    taken = taken
      .then(() => take(full))
      .then(() => {
        waiting -= 1
        stream.resume()
      })
    taken.catch((error) => {
      failed = true
      stream.destroy(error)
    })
  }

  await run(
    client,
    {
      handleCopyData({ chunk }) {
        if (failed) return
        if (used > 0 && used + chunk.length > blockBytes) handOn()
        if (chunk.length > block.length) block = Buffer.allocUnsafe(chunk.length)
        // Copied, because `pg` uses its buffer again.
        used += chunk.copy(block, used)
      },
    },
    text,
  ).catch(async (error) => {
    await taken
    throw error
  })
  if (used > 0) handOn()
  await taken
}

/** Runs `copy … from stdin` with these blocks. If they fail, so does the copy, with their error. */
export async function copyIn(client: pg.Client, text: string, blocks: AsyncIterable<Buffer>): Promise<void> {
  let refused = false
  let failure: unknown

  async function send(connection: Connection) {
    const { stream } = connection
    try {
      for await (const block of blocks) {
        if (refused || stream.destroyed) return
        connection.sendCopyFromChunk(block)
        if (stream.writableNeedDrain) await drained(stream)
      }
      connection.endCopyFrom()
    } catch (error) {
      failure = error
      connection.sendCopyFail('The source failed')
    }
  }

  await run(client, { handleCopyInResponse: (connection) => void send(connection) }, text).catch((error) => {
    refused = true
    throw failure ?? error
  })
}

/** Until it takes more, or is gone. */
async function drained(stream: Duplex) {
  const over = new AbortController()
  const heard = (event: string) => once(stream, event, { signal: over.signal })
  await Promise.race([heard('drain'), heard('close')]).finally(() => over.abort())
}
