import type { QueryClient } from '@tanstack/react-query'
import type { Event } from '../../contract/event.ts'
import {
  type Changed as ChangedKind,
  deadAfterMs,
  type LiveArrival,
  type LiveMessages,
  type LivePosition,
} from '../../contract/live.ts'
import { type Company, type Driver, keyOfDoubtful, keyOfToDecide, keysOf, type Task } from '../api/data.ts'
import { isInDoubt } from '../tasks/doubt.ts'
import { isToDecide } from '../tasks/to-decide.ts'
import { fetchAgain } from './fetch-again.ts'
import type { Liveness } from './liveness.ts'
import { type Changed, tellLoading } from './load-tasks.ts'
import { mergeTasks, replaceTasks } from './merge.ts'
import { type Message, readMessages } from './sse.ts'

const patienceMs = [500, 1_000, 2_000, 5_000]
/** Events that come together are shown together. */
const gatherMs = 80

interface Options {
  client: QueryClient
  onLiveness: (liveness: Liveness) => void
  /** From now on every event is heard; what was fetched before may have missed some. */
  onBegun: () => void
  onSignedOut: () => void
}

/**
 * Follows the organisation's events and keeps the cache up to date. After a lost connection it continues from the last
 * event it saw, so nothing is missed; hints without a number cannot be replayed, so their data is fetched again.
 */
export function followEvents({ client, onLiveness, onBegun, onSignedOut }: Options): () => void {
  const stopped = new AbortController()
  const apply = gatherer(client)
  let lastId: string | undefined
  let failures = 0
  let since = new Date()

  const connect = async () => {
    const silent = new AbortController()
    let timer = setTimeout(() => silent.abort(), deadAfterMs)
    const leave = new AbortController()
    // The browser notices earlier than our timeout.
    window.addEventListener('offline', () => silent.abort(), { signal: leave.signal })
    const heard = () => {
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(), deadAfterMs)
      since = new Date()
    }
    try {
      const response = await fetch('/api/v1/events/stream', {
        credentials: 'same-origin',
        headers: lastId ? { 'last-event-id': lastId } : {},
        signal: AbortSignal.any([stopped.signal, silent.signal]),
      })
      if (response.status === 401) return onSignedOut()
      if (!response.ok || !response.body) throw new Error(`The server answered ${response.status}`)
      if (lastId === undefined) onBegun()
      else if (failures > 0) askAgain(client)
      failures = 0
      onLiveness({ state: 'live' })
      for await (const message of readMessages(response.body, heard)) {
        lastId = message.id ?? lastId
        apply(message)
      }
    } catch {
      // Reported below, like a normal end.
    } finally {
      clearTimeout(timer)
      leave.abort()
    }
    if (stopped.signal.aborted) return
    onLiveness({ state: 'stale', since })
    const patience = patienceMs[Math.min(failures, patienceMs.length - 1)] as number
    failures += 1
    await Promise.race([new Promise((done) => setTimeout(done, patience)), backOnline(stopped.signal)])
    if (!stopped.signal.aborted) void connect()
  }

  onLiveness({ state: 'connecting' })
  void connect()
  return () => stopped.abort()
}

/** Of tasks it is the arrivals that move without an event. */
const hinted = new Set<unknown>([
  'tasks',
  'task',
  ...keyOfDoubtful,
  ...keyOfToDecide,
  ...Object.values(keysOf).map(([word]) => word),
])

/** Fetches what events do not bring back: data announced only by hints, and requests that failed meanwhile. */
const askAgain = (client: QueryClient) =>
  fetchAgain(client, {
    predicate: ({ queryKey: [word], state }) => hinted.has(word) || state.status === 'error' || state.isInvalidated,
  })

const backOnline = (signal: AbortSignal) =>
  new Promise<void>((done) => window.addEventListener('online', () => done(), { once: true, signal }))

function gatherer(client: QueryClient) {
  let waiting: Message[] = []
  const flush = () => {
    const messages = waiting
    waiting = []
    applyTasks(
      client,
      messages.filter(isTaskEvent).map(({ data }) => JSON.parse(data) as Event),
    )
    for (const message of messages.filter((one) => !isTaskEvent(one))) {
      const { changed, position, arrival } = messageIn(message)
      if (position) applyPositions(client, position.positions)
      if (arrival) applyArrivals(client, arrival.arrivals)
      if (changed) refetch(client, changed.what)
    }
  }
  return (message: Message) => {
    if (message.data === '') return
    waiting.push(message)
    if (waiting.length === 1) setTimeout(flush, gatherMs)
  }
}

/** What it says, under its name. */
const messageIn = ({ event, data }: Message): Partial<LiveMessages> => ({ [event]: JSON.parse(data) })

function refetch(client: QueryClient, what: ChangedKind) {
  fetchAgain(client, { queryKey: [what] })
  // Having seen a note is no event of its task.
  if (what === keysOf.notes[0]) fetchAgain(client, { queryKey: ['task'] })
}

const isTaskEvent = ({ event }: Message) => event.startsWith('TASK_')

const startsOrEnds = new Set(['TASK_START', 'TASK_COMPLETE', 'TASK_FAILED', 'TASK_UNASSIGNED'])

interface ConflictPages {
  pages?: { conflicts: { taskId: number }[] }[]
}

function applyTasks(client: QueryClient, events: Event[]) {
  const timeZone = client.getQueryData<Company>(keysOf.company)?.timezone
  if (events.length === 0 || !timeZone) return
  const changed: Changed = new Map()
  for (const { taskId, triggerName, data } of events)
    changed.set(taskId, triggerName === 'TASK_DELETED' ? undefined : (data.task as Task))
  tellLoading(changed)

  for (const query of client.getQueryCache().findAll({ queryKey: ['tasks'] })) {
    const day = query.queryKey[1] as string
    client.setQueryData<Task[]>(query.queryKey, (tasks) => tasks && mergeTasks(tasks, changed, day, timeZone))
  }
  // What was found on other days, by a search or for a customer.
  for (const word of ['search', 'history', ...keyOfDoubtful])
    client.setQueriesData<{ tasks: Task[] }>(
      { queryKey: [word] },
      (found) => found && { ...found, tasks: replaceTasks(found.tasks, changed) },
    )
  // An address that is to be checked now, and was not in the list.
  const doubtful = [...changed.values()].filter((task) => task && isInDoubt(task))
  if (doubtful.length > 0)
    fetchAgain(client, {
      queryKey: keyOfDoubtful,
      predicate: ({ state }) => {
        const known = new Set((state.data as { tasks: Task[] } | undefined)?.tasks.map(({ id }) => id))
        return doubtful.some((task) => task && !known.has(task.id))
      },
    })
  lookWhatIsToDecide(client, events)
  for (const taskId of changed.keys()) fetchAgain(client, { queryKey: ['task', taskId] })
  // A conflict shows the state of its task.
  const isAbout = ({ conflicts }: { conflicts: { taskId: number }[] }) =>
    conflicts.some(({ taskId }) => changed.has(taskId))
  fetchAgain(client, {
    queryKey: keysOf.conflicts,
    predicate: ({ state }) => !state.data || (state.data as ConflictPages).pages?.some(isAbout) === true,
  })
  // A driver's status follows from their tasks.
  if (events.some(({ triggerName }) => startsOrEnds.has(triggerName))) fetchAgain(client, { queryKey: keysOf.drivers })
}

/** When a next try or a return is deleted, the task before it is to be decided about again, and has no event of its own. */
function lookWhatIsToDecide(client: QueryClient, events: Event[]) {
  const rules = client.getQueryData<Company>(keysOf.company)?.settings
  const mayBeNew = events.some(({ triggerName, data }) => {
    const task = data.task as Task
    if (triggerName === 'TASK_DELETED') return Boolean(task.attemptOf ?? task.returnOf)
    return !rules || isToDecide(task, rules)
  })
  const changed = new Set(events.map(({ taskId }) => taskId))
  const isListed = ({ tasks }: { tasks: Task[] }) => tasks.some(({ id }) => changed.has(id))
  fetchAgain(client, {
    queryKey: keyOfToDecide,
    predicate: ({ state }) => mayBeNew || !state.data || isListed(state.data as { tasks: Task[] }),
  })
}

function applyPositions(client: QueryClient, positions: LivePosition[]) {
  const byDriver = new Map(positions.map((position) => [position.driverId, position]))
  client.setQueryData<Driver[]>(keysOf.drivers, (drivers) =>
    drivers?.map((driver) => {
      const position = byDriver.get(driver.id)
      return position ? { ...driver, position, silentSince: null } : driver
    }),
  )
}

/** Arrivals move all day, so they come without an event; nothing else of the task has changed. */
function applyArrivals(client: QueryClient, arrivals: LiveArrival[]) {
  const byTask = new Map(arrivals.map(({ taskId, etaAt }) => [taskId, etaAt]))
  const withArrival = (task: Task) => {
    const etaAt = byTask.get(task.id)
    return etaAt === undefined || etaAt === task.etaAt ? task : { ...task, etaAt }
  }
  client.setQueriesData<Task[]>({ queryKey: ['tasks'] }, (tasks) => tasks?.map(withArrival))
  for (const taskId of byTask.keys()) client.setQueryData<Task>(['task', taskId], (task) => task && withArrival(task))
}
