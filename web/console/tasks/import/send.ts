import endpoints from 'virtual:endpoints'
import { clientFor } from '../../../../sdk/calls.ts'
import { WaybillError } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import type { Dated } from '../../../tasks/day.ts'
import type { CheckedRow } from './check.ts'

/** The result of a row: a task, or why there is none. */
export interface Outcome {
  checked: CheckedRow
  task?: Pick<Task, 'id' | 'awb' | 'address'> & Dated
  refusal?: { code: string; message: string } | 'stopped' | 'lost'
}

/** The fields of a task that the report needs, to save memory with thousands of tasks. */
const partOf = ({ id, awb, address, ...task }: NonNullable<Outcome['task']>) => {
  const { statusId, completedAt, completeAfter, completeBefore } = task
  return { id, awb, address, statusId, completedAt, completeAfter, completeBefore }
}

const setSize = 250
const patienceMs = [500, 1_000, 2_000, 4_000, 8_000]

/** With an Idempotency-Key a request can be repeated safely if its response was lost. */
const clientWith = (key: string) =>
  clientFor(endpoints, async (path, init) => {
    try {
      return await fetch(path, {
        ...init,
        credentials: 'same-origin',
        headers: { ...init.headers, 'idempotency-key': key },
      })
    } catch {
      throw new WaybillError(0, { code: 'networkDown' })
    }
  })

const isPassing = (error: unknown) =>
  error instanceof WaybillError &&
  ([0, 429, 502, 503, 504].includes(error.status) || error.code === 'IDEMPOTENCY_IN_PROGRESS')

async function sendSet(rows: readonly CheckedRow[]): Promise<Outcome[]> {
  const client = clientWith(randomKey())
  for (const patience of [...patienceMs, undefined]) {
    try {
      const { results } = await client.bulkCreateTasks({ body: { tasks: rows.map(({ input }) => input) } })
      return rows.map((checked, index) => {
        const { data, error } = results[index] ?? {}
        if (data) return { checked, task: partOf(data) }
        return { checked, refusal: error ?? 'lost' }
      })
    } catch (error) {
      if (!isPassing(error) || patience === undefined) {
        const refusal = error instanceof WaybillError && error.status >= 400 ? error : 'lost'
        return rows.map((checked) => ({ checked, refusal }))
      }
      await new Promise((done) => setTimeout(done, patience))
    }
  }
  return []
}

/** `crypto.randomUUID` exists only over https. */
const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

interface Options {
  onProgress: (done: number) => void
  isStopped: () => boolean
}

/** Creates the tasks, one set after the other. If stopped, the tasks created so far stay. */
export async function sendRows(rows: readonly CheckedRow[], { onProgress, isStopped }: Options): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let isLost = false
  for (let from = 0; from < rows.length; from += setSize) {
    const some = rows.slice(from, from + setSize)
    if (isStopped() || isLost) outcomes.push(...some.map((checked): Outcome => ({ checked, refusal: 'stopped' })))
    else {
      const answered = await sendSet(some)
      isLost = answered.every(({ refusal }) => refusal === 'lost')
      outcomes.push(...answered)
      onProgress(outcomes.length)
    }
  }
  return outcomes
}
