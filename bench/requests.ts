import { aTask } from '../server/test/factories.ts'
import type { Request } from './load.ts'

/* Typical requests of clients, as the load generator sends them. */

const regulars = 200

/** A task as a shop sends it, for a returning customer. */
const taskOf = (awb: string, regular: number) =>
  aTask({ awb, details: 'Two boxes', customer: { name: `Ana ${regular}`, phone: `07123${10_000 + regular}` } })

export const createOne: Request[] = Array.from({ length: regulars }, (_, n) => ({
  method: 'POST',
  path: '/api/v1/tasks',
  body: JSON.stringify(taskOf('{next}', n)),
}))

export const bulkOf = (count: number) => ({
  tasks: Array.from({ length: count }, (_, n) => taskOf(`{next}-${n}`, n % regulars)),
})

export const createMany = (count: number): Request => ({
  method: 'POST',
  path: '/api/v1/tasks/bulkCreate',
  body: JSON.stringify(bulkOf(count)),
})

export const get = (path: string): Request => ({ method: 'GET', path: `/api/v1${path}` })
