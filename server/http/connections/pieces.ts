import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from '../../../contract/errors.ts'
import { hangUp, writeRefusal } from '../errors.ts'
import { free } from '../limits/holdings.ts'
import { IncomingMessage } from '../node-http.ts'

/*
 * How finely a body may be cut. Chunks of one byte take six on the wire, and each is a call from Node's parser into
 * JavaScript: 200 connections with 16,000 chunks each, 19 MB in all, kept a server busy for 24 s. Counting alone does not
 * help, because Node parses everything it has read, 64 kB, before we get a turn. So it is given a little at a time, and
 * nothing more once a body has too many pieces: 1 s for the same attack. Good requests take about as long
 * as before (64 connections, 19,200 requests, three runs each on a busy machine: 2.1 to 2.4 s of the main thread without
 * slices, 1.8 to 2.8 s with them).
 */

const sliceBytes = 4_096

/** Nobody's network cuts finer than this on average; a few short pieces are always fine. */
const freePieces = 256
const bytesEach = 64

/** What still arrives is dropped this long, so that its sender sees the answer. */
const lingerMs = 2_000

const tooManyPieces = () =>
  new Refusal('BAD_REQUEST', {
    message: `The body came in too many pieces; send at least ${bytesEach} bytes at a time`,
  })

/** A request that counts the pieces of its body as the parser finds them. */
export class CountedRequest extends IncomingMessage {
  #pieces = 0
  #bytes = 0
  #isAnswered = false

  /** Node calls this when the answer is there before the whole body is: it would drop the rest without counting it. */
  _dump() {
    this.#isAnswered = true
    this.resume()
  }

  override push(chunk: Buffer | null, encoding?: BufferEncoding) {
    if (chunk) {
      this.#pieces += 1
      this.#bytes += chunk.length
      if (this.#pieces > freePieces + this.#bytes / bytesEach) {
        if (this.#isAnswered) hangUp(this.socket, lingerMs)
        else writeRefusal(this.socket, tooManyPieces(), lingerMs)
        return false
      }
    }
    return super.push(chunk, encoding)
  }
}

/** Node's server reads its connections by their `data` events; it gets them in slices. */
export function feedInSlices(server: Server) {
  server.on('connection', (socket: Socket) => {
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
    if (!parse) return
    socket.off('data', parse)
    socket.on('data', (bytes: Buffer) => {
      // Whoever was refused is no longer read.
      for (let at = 0; at < bytes.length && !socket.writableEnded && !socket.destroyed; at += sliceBytes)
        parse(bytes.subarray(at, at + sliceBytes))
      // The parser copies what it passes on. Without this, 400 clients that send much left the server at 290 MB.
      free(bytes)
    })
  })
}
