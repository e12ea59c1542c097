import type { BulkTaskUpdate, TaskInput } from '../../../../contract/task.ts'
import { api, WaybillError } from '../../../api/client.ts'
import { type Outcome, partOf, type SendSet } from './sets.ts'

const patienceMs = [500, 1_000, 2_000, 4_000, 8_000, 8_000]

const isPassing = (error: unknown) =>
  error instanceof WaybillError &&
  ([0, 429, 500, 502, 503, 504].includes(error.status) || error.code === 'IDEMPOTENCY_IN_PROGRESS')

/** With its key a set can be sent again safely if its answer was lost. */
async function askOnce({ key: idempotencyKey, kind, tasks }: SendSet): Promise<Outcome[]> {
  if (kind === 'create') {
    const { results } = await api.bulkCreateTasks({ body: { tasks: tasks as TaskInput[] }, idempotencyKey })
    return tasks.map((_, index) => {
      const { data, error } = results[index] ?? {}
      return data ? { task: partOf(data) } : { refusal: error ?? 'lost' }
    })
  }
  const { results } = await api.bulkUpdateTasks({ body: { tasks: tasks as BulkTaskUpdate[] }, idempotencyKey })
  return tasks.map((_, index) => {
    const { id, awb = '', error } = results[index] ?? {}
    return id ? { updated: { id, awb } } : { refusal: error ?? 'lost' }
  })
}

/** Why sending ended before everything was answered. */
export type Interrupted = 'stopped' | 'networkDown' | 'signedOut'

interface Options {
  /** Keeps a set before it is sent, and again with its answer. */
  onSet: (set: SendSet) => Promise<unknown>
  onWaiting: (isWaiting: boolean) => void
  isStopped: () => boolean
}

/** Sends what is not answered yet, one set after the other. What was sent stays, whatever ends it. */
export async function sendSets(sets: readonly SendSet[], options: Options): Promise<Interrupted | undefined> {
  for (const set of sets) {
    if (set.outcomes) continue
    if (options.isStopped()) return 'stopped'
    const begun = { ...set, begunAt: set.begunAt ?? Date.now() }
    await options.onSet(begun)
    const outcomes = await sendSet(begun, options)
    if (typeof outcomes === 'string') return outcomes
    await options.onSet({ ...begun, outcomes })
  }
  return undefined
}

/** Whoever presses Stop does not wait for the end of it. */
async function wait(patience: number, isStopped: () => boolean) {
  const until = Date.now() + patience
  while (Date.now() < until && !isStopped()) await new Promise((done) => setTimeout(done, 100))
}

async function sendSet(set: SendSet, { onWaiting, isStopped }: Options): Promise<Outcome[] | Interrupted> {
  for (const patience of [...patienceMs, undefined]) {
    try {
      const outcomes = await askOnce(set)
      onWaiting(false)
      return outcomes
    } catch (error) {
      if (error instanceof WaybillError && error.status === 401) return 'signedOut'
      if (!isPassing(error)) {
        const { code, message } = error as WaybillError
        return set.rows.map(() => ({ refusal: { code: code ?? 'INTERNAL', message } }))
      }
      if (patience === undefined || isStopped()) return isStopped() ? 'stopped' : 'networkDown'
      onWaiting(true)
      await wait(patience, isStopped)
    }
  }
  return 'networkDown'
}
