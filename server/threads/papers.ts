import { Refusal } from '../../contract/errors.ts'
import type { Log } from '../log.ts'
import type { Paper } from './paper.ts'
import { createPool } from './pool.ts'
import { startThread } from './thread.ts'

/* PDF files are drawn in separate threads. Few at a time, counted from when the pictures are collected: they are what needs memory. */

export interface Papers {
  make(collect: () => Promise<Paper>): Promise<Buffer>
  close(): Promise<void>
}

interface Options {
  log: Log
  threads?: number
  mostWaiting?: number
  mostWaitMs?: number
  mostMs?: number
  memoryMb?: number
}

const busy = (message = 'Too many documents are being made at the moment; try again shortly') =>
  new Refusal('OVERLOADED', { message, retryAfterSeconds: 5 })

export function createPapers({ log, ...options }: Options): Papers {
  const { threads = 2, mostWaiting = 16, mostWaitMs = 30_000, mostMs = 120_000, memoryMb = 384 } = options
  const pool = createPool<() => Promise<Paper>, Uint8Array>({
    start(onOutcome, onEnd) {
      const thread = startThread<Uint8Array>({ name: 'paper', memoryMb, log, onOutcome, onEnd })
      return {
        post: (collect) =>
          void collect().then(
            (paper) => thread.postMessage(paper),
            (error) => onOutcome({ error }),
          ),
        end: () => thread.terminate(),
      }
    },
    mostWorkers: threads,
    mostWaiting,
    mostWaitMs,
    mostMs,
    busy,
    broken: () => busy('The document could not be made; try again'),
  })
  return {
    async make(collect) {
      const bytes = await pool.run(collect)
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    },
    close: pool.close,
  }
}
