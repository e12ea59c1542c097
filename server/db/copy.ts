import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import type pg from 'pg'

/*
 * COPY as blocks of text, in both directions, in bounded memory. `pg` parses these messages but has no query object
 * that handles them; docs/decisions/0009 says why that needs no further package.
 */

/** Rows are passed on in blocks of this size; a block always ends with a whole row. */
const blockBytes = 1 << 20

interface Connection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** The methods that `pg` calls on a query; those missing here are never called during a COPY. */
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

/** Runs `copy … to stdout`. While two blocks are waiting, reading stops, so the database waits too. */
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
        // Copied, because `pg` reuses its buffer.
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

/** Resolves when the stream accepts more, or is closed. */
async function drained(stream: Duplex) {
  const over = new AbortController()
  const heard = (event: string) => once(stream, event, { signal: over.signal })
  await Promise.race([heard('drain'), heard('close')]).finally(() => over.abort())
}
