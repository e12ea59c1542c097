import { Refusal } from '../../contract/errors.ts'
import type { Log } from '../log.ts'
import type { Kept, OpenFile } from './kept.ts'
import type { LabelPaper, Paper } from './paper.ts'
import type { DrawJob } from './paper-thread.ts'
import { createPool, type Outcome } from './pool.ts'
import { startThread } from './thread.ts'
import type { Asker } from './turns.ts'

/*
 * PDF files are drawn in separate threads, into files: each is made once, for all who ask for it, and kept for those who
 * ask later. Few are made at a time, counted from when the pictures are collected, and never all of them for one organisation.
 */

export interface WantedPaper {
  /** Says everything the paper shows: whoever asks for the same name gets the same paper. */
  name: string
  asker: Asker
  collect(): Promise<Paper | LabelPaper>
}

export interface Papers {
  /** Opens the paper; it is made if it is not kept. `gone` is aborted when the reader has left. */
  open(wanted: WantedPaper, gone: AbortSignal): Promise<OpenFile>
  close(): Promise<void>
}

interface Options {
  log: Log
  kept: Kept
  threads?: number
  mostWaiting?: number
  mostReaders?: number
  mostWaitMs?: number
  /** Less than the minute after which a silent connection is closed: the paper is kept for the next try. */
  mostPatienceMs?: number
  mostMs?: number
  /** A thread takes tens of megabytes and starts in a third of a second. */
  idleMs?: number
  memoryMb?: number
}

/** One that waits for its turn, or is being made. */
interface Making {
  readers: number
  hasBegun: boolean
  abandon: AbortController
  made: Promise<void>
}

const retryAfterSeconds = 5
const busy = (message = 'Too many documents are being made at the moment; try again shortly') =>
  new Refusal('OVERLOADED', { message, retryAfterSeconds })
const failed = () => busy('The document could not be made; try again')

export function createPapers({ log, kept, ...options }: Options): Papers {
  const { threads = 2, mostWaiting = 16, mostReaders = 100, mostWaitMs = 30_000 } = options
  const { mostPatienceMs = 45_000, mostMs = 120_000, idleMs = 5_000, memoryMb = 96 } = options
  const pool = createPool<{ collect(): Promise<Paper | LabelPaper>; path: string }, void>({
    start(onOutcome, onEnd) {
      const told = (outcome: Outcome<void>) => onOutcome('error' in outcome ? { error: errorOf(outcome) } : outcome)
      const thread = startThread<void>({ name: 'paper', memoryMb, log, onOutcome: told, onEnd })
      return {
        post: ({ collect, path }) =>
          void collect().then(
            (paper) => thread.postMessage({ paper, path } satisfies DrawJob, buffersOf(paper)),
            (error) => onOutcome({ error }),
          ),
        end: () => thread.terminate(),
      }
    },
    mostWorkers: threads,
    mostWaiting,
    shares: { mostOfOrganisation: mostWaiting / 2, mostOfAsker: 4, mostAtWork: Math.max(1, threads - 1) },
    mostWaitMs,
    mostMs,
    idleMs,
    busy,
    broken: failed,
  })
  const makings = new Map<string, Making>()

  function begin({ name, asker, collect }: WantedPaper, key: string): Making {
    const abandon = new AbortController()
    const making: Making = { readers: 0, hasBegun: false, abandon, made: Promise.resolve() }
    const paper = () => {
      making.hasBegun = true
      return collect()
    }
    const make = async () => {
      // It may have been finished since its reader looked.
      const found = await kept.find(asker.organisationId, name)
      if (found) return found.file.close()
      const { signal } = abandon
      await kept.keep(asker.organisationId, name, (path) => pool.run({ collect: paper, path }, { asker, signal }))
    }
    making.made = make().finally(() => forget(making, key))
    makings.set(key, making)
    return making
  }

  function forget(making: Making, key: string) {
    if (makings.get(key) === making) makings.delete(key)
  }

  async function wait(making: Making, key: string, gone: AbortSignal) {
    if (making.readers >= mostReaders) throw busy()
    making.readers += 1
    const tired = Promise.withResolvers<never>()
    let isHere = true
    // What nobody waits for leaves the queue; what has begun is finished and kept.
    const leave = () => {
      if (isHere) making.readers -= 1
      isHere = false
      if (making.readers > 0 || making.hasBegun) return
      forget(making, key)
      making.abandon.abort()
    }
    const timer = setTimeout(() => {
      leave()
      tired.reject(busy('The document is still being made; try again shortly'))
    }, mostPatienceMs).unref()
    gone.addEventListener('abort', leave, { once: true })
    await Promise.race([making.made, tired.promise]).finally(() => {
      clearTimeout(timer)
      gone.removeEventListener('abort', leave)
    })
  }

  return {
    async open(wanted, gone) {
      const { name, asker } = wanted
      const key = `${asker.organisationId} ${name}`
      const found = await kept.find(asker.organisationId, name)
      if (found) return found
      await wait(makings.get(key) ?? begin(wanted, key), key, gone)
      const made = await kept.find(asker.organisationId, name)
      if (!made) throw failed()
      return made
    },
    close: pool.close,
  }
}

/** An error loses its code between threads, which says that the disk is full. */
const errorOf = ({ error }: { error: unknown }) =>
  Object.assign(new Error((error as Error).message), { code: (error as NodeJS.ErrnoException).code })

/** They are handed over, not copied. */
function buffersOf(paper: Paper | LabelPaper): ArrayBuffer[] {
  const { sender } = paper
  const sheets = 'sheets' in paper ? paper.sheets : []
  const pictures = sheets.flatMap((sheet) => ('pictures' in sheet ? sheet.pictures.map(({ picture }) => picture) : []))
  return [sender.logo, ...pictures].flatMap((one) => (one instanceof Uint8Array ? [one.buffer as ArrayBuffer] : []))
}
