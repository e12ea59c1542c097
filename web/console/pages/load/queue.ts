import type { Answer } from '../../../../contract/operations.ts'
import type { ScanPlace } from '../../../../core/loading.ts'

/*
 * What was scanned on this page. A scanner types faster than the network answers, so codes wait in a list and are sent in
 * their order; none is lost when the network is.
 */

export type Scanned = Omit<Answer<'createScan'>, 'success'>
type Result = Answer<'bulkCreateScans'>['results'][number]

export interface ReadCode {
  /** Counts up on this page. */
  number: number
  code: string
  at: ScanPlace
  userId: number | null
}

export interface Queue {
  next: number
  /** In the order in which they were read. */
  waiting: readonly ReadCode[]
  /** What the server would not take, until somebody removes it or sends it again. */
  refused: readonly (ReadCode & { error: NonNullable<Result['error']> })[]
  /** The newest first. */
  answered: readonly { read: ReadCode; scanned: Scanned }[]
}

export const emptyQueue: Queue = { next: 1, waiting: [], refused: [], answered: [] }

/** How many go in one request, and how many answers stay on the page. */
export const mostAtOnce = 50
const mostShown = 20

/** A code was read. Enter without one is nothing. */
export function read(queue: Queue, { code, ...where }: Omit<ReadCode, 'number'>): Queue {
  const typed = code.trim()
  if (typed === '') return queue
  const one = { number: queue.next, code: typed, ...where }
  return { ...queue, next: queue.next + 1, waiting: [...queue.waiting, one] }
}

export const nextBatch = ({ waiting }: Queue): readonly ReadCode[] => waiting.slice(0, mostAtOnce)

/** The server answered these; what was read in the meantime still waits. */
export function answer(queue: Queue, batch: readonly ReadCode[], results: readonly Result[]): Queue {
  const sent = new Set(batch.map(({ number }) => number))
  const answered = batch.flatMap((read, index) => {
    const scanned = results[index]?.data
    return scanned ? [{ read, scanned }] : []
  })
  const refused = batch.flatMap((read, index) => {
    const error = results[index]?.error
    return error ? [{ ...read, error }] : []
  })
  return {
    ...queue,
    waiting: queue.waiting.filter(({ number }) => !sent.has(number)),
    refused: [...queue.refused, ...refused],
    answered: [...answered.reverse(), ...queue.answered].slice(0, mostShown),
  }
}

export function sendAgain(queue: Queue, number: number): Queue {
  const found = queue.refused.find((one) => one.number === number)
  if (!found) return queue
  const { error: _, ...one } = found
  return { ...forget(queue, number), waiting: [...queue.waiting, one] }
}

export const forget = (queue: Queue, number: number): Queue => ({
  ...queue,
  refused: queue.refused.filter((one) => one.number !== number),
})
