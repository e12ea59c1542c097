import { parentPort } from 'node:worker_threads'
import type { Point } from '../../core/geo.ts'
import type { Transport } from '../../core/travel.ts'
import { openRouter, type Router } from '../map/roads/router.ts'
import type { Outcome } from './pool.ts'

/* The thread that has the roads of an import, and searches them. */

const work = {
  table: (router: Router, transport: Transport, places: readonly Point[]) => router.table(transport, places),
  legs: (router: Router, transport: Transport, places: readonly Point[]) => router.legs(transport, places),
}
export type Work = typeof work

export interface RoadsJob {
  kind: keyof Work
  /** The file of the import that is current; that of another one is let go. */
  path: string
  transport: Transport
  places: readonly Point[]
}

let open: { path: string; router: Router } | undefined

function routerOf(path: string): Router {
  if (open?.path === path) return open.router
  open?.router.close()
  // What is left of the old one must be gone before there is a new one.
  open = undefined
  open = { path, router: openRouter(path) }
  return open.router
}

parentPort?.on('message', ({ kind, path, transport, places }: RoadsJob) => {
  try {
    const result = work[kind](routerOf(path), transport, places)
    // Tables are handed over, not copied.
    const lists = 'seconds' in result ? [result.seconds.buffer as ArrayBuffer, result.metres.buffer as ArrayBuffer] : []
    parentPort?.postMessage({ result } satisfies Outcome<unknown>, lists)
  } catch (error) {
    parentPort?.postMessage({ error } satisfies Outcome<unknown>)
  }
})
