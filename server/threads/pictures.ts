import { fork } from 'node:child_process'
import { Refusal } from '../../contract/errors.ts'
import type { Log } from '../log.ts'
import type { InkJob, Made, MakeJob, PictureAnswer, PictureJob, ShrinkJob } from './picture-process.ts'
import { createPool } from './pool.ts'

/*
 * Pictures are decoded in a process of their own: files come from strangers, and decoders are written in C. One that
 * crashes on a file, or never finishes, takes nothing else along, and holds none of our secrets.
 */

export type { Made } from './picture-process.ts'

export interface Pictures {
  /** Reads the file at `from` and writes the picture and its thumbnail; refuses what is no good picture. */
  make(job: MakeJob): Promise<Made>
  /** Writes a small copy of a picture of ours, for paper. */
  shrink(job: ShrinkJob): Promise<Made>
  /** Writes it as black dots, in a file of the kind PBM (`P4`). */
  ink(job: InkJob): Promise<Made>
  close(): Promise<void>
}

interface Options {
  log: Log
  processes?: number
  mostWaiting?: number
  mostWaitMs?: number
  mostMs?: number
}

const busy = (message = 'Too many pictures are being sent at the moment; try again shortly') =>
  new Refusal('OVERLOADED', { message, retryAfterSeconds: 2 })

export function createPictures({ log, ...options }: Options): Pictures {
  const { processes = 1, mostWaiting = 64, mostWaitMs = 20_000, mostMs = 20_000 } = options
  const pool = createPool<PictureJob, PictureAnswer>({
    start(onOutcome, onEnd) {
      // An empty environment: what reads strangers' files has no use for keys and passwords.
      const child = fork(new URL('./picture-process.ts', import.meta.url), { env: {}, execArgv: [] })
      child.unref()
      child.channel?.unref()
      child.on('message', (answer) => onOutcome({ result: answer as PictureAnswer }))
      child.on('error', (err) => log.error({ err }, 'A process that reads pictures could not be reached'))
      child.on('exit', onEnd)
      return {
        post: (job) => void child.send(job),
        end: async () => void child.kill('SIGKILL'),
      }
    },
    mostWorkers: processes,
    mostWaiting,
    mostWaitMs,
    mostMs,
    busy,
    broken: (wasStuck) => {
      log.warn(`A process that reads pictures ${wasStuck ? 'was stuck' : 'crashed'} and was replaced`)
      return wasStuck ? new Refusal('PICTURE_DAMAGED', { message: 'The picture takes too long to read' }) : new Crash()
    },
  })
  async function run(job: PictureJob) {
    // The crash may have been about something else, such as memory; the second one is about the file.
    const answer = await pool.run(job).catch((error) => {
      if (error instanceof Crash) return pool.run(job)
      throw error
    })
    if ('refused' in answer) throw new Refusal(answer.refused)
    return answer
  }

  return { make: run, shrink: run, ink: run, close: pool.close }
}

class Crash extends Refusal {
  constructor() {
    super('PICTURE_DAMAGED', { message: 'The picture cannot be read' })
  }
}
