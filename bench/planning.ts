import { keepResults, printHeader, quantile, withServer } from './measure.ts'
import { startWaybill } from './processes.ts'

/*
 * How long a dispatcher waits for a plan, and whether others wait too: Waybill, PostgreSQL and this caller share the
 * machine. Every driver is planned once, so no route is optimised already.
 */

const key = 'a-key-for-measuring-only'
const drivers = 60

/** Streets around Bucharest; every third task has a time window. */
function makeTasks(seed: number, count: number) {
  const draw = (index: number, salt: number) =>
    ((Math.imul(seed * 7919 + index * 104_729 + salt, 2_654_435_761) >>> 8) % 10_000) / 10_000
  const hours = (value: number) => new Date(Date.now() + value * 3_600_000).toISOString()
  return Array.from({ length: count }, (_, index) => ({
    address: { address: `Street ${index}`, lat: 44.35 + draw(index, 1) * 0.18, lng: 26 + draw(index, 2) * 0.22 },
    serviceTime: 3 + Math.floor(draw(index, 3) * 8),
    ...(index % 3 === 0 && { completeBefore: hours(1 + draw(index, 4) * 8) }),
  }))
}

export async function run() {
  await withServer(async ({ url }) => {
    printHeader('Planning', 1)
    const waybill = await startWaybill('all', url, key)
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${waybill.url}/api/v1${path}`, {
        method,
        headers: { authorization: key, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as Answer
      if (!answer.success) throw new Error(JSON.stringify(answer))
      return answer
    }
    try {
      const results: Record<string, object> = {}
      for (const count of [10, 40, 100]) results[`${count} tasks`] = await measure(waybill.url, call, count)
      console.table(results)
      const teams: Record<string, object> = {}
      for (const count of [100, 300]) teams[`${count} tasks, 20 drivers`] = await measureTeam(waybill.url, call, count)
      console.table(teams)
      await keepResults('planning', { ...results, ...teams })
    } finally {
      await waybill.stop()
    }
  })
}

/** The parts of the answers we use. */
type Answer = { success: boolean } & Record<'hub' | 'team' | 'user', { id: number }> & {
    route: Record<'before' | 'after', { travelSeconds: number }>
    plan: Record<'assigned' | 'unassigned', unknown[]>
  }
type Call = (method: string, path: string, body?: object) => Promise<Answer>

async function measure(url: string, call: Call, count: number) {
  const { hub } = await call('POST', '/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })
  const { team } = await call('POST', '/teams', { name: `With ${count}`, hubId: hub.id })
  const ids: number[] = []
  for (let index = 0; index < drivers + 5; index += 1) {
    const phone = `07${String(10_000_000 + count * 1_000 + index)}`
    const driver = { name: `Driver ${index}`, phone, teams: [team.id] }
    const { id } = (await call('POST', '/drivers', driver)).user
    await call('POST', `/drivers/${id}/tasks/bulkCreate`, { tasks: makeTasks(index, count) })
    ids.push(id)
  }
  const plan = (id: number | undefined) => call('POST', `/drivers/${id}/tasks/optimizeTodayTasks`, {})
  // The first ones start the threads and warm them up.
  for (const id of ids.splice(0, 5)) await plan(id)
  await loopLag(url)
  const durations: number[] = []
  let [before, after] = [0, 0]
  for (const id of ids) {
    const from = performance.now()
    const { route } = await plan(id)
    durations.push(performance.now() - from)
    before += route.before.travelSeconds
    after += route.after.travelSeconds
  }
  const lag = await loopLag(url)
  const round = (value: number) => Number(value.toFixed(1))
  return {
    'p50 ms': round(quantile(durations, 0.5)),
    'p95 ms': round(quantile(durations, 0.95)),
    'max ms': round(Math.max(...durations)),
    'loop lag p99 ms': round(lag),
    'travel saved %': round(100 * (1 - after / before)),
  }
}

/** Assigns waiting tasks to a team five times as a dry run, so that it is the same work each time. */
async function measureTeam(url: string, call: Call, count: number) {
  const { hub } = await call('POST', '/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })
  const { team } = await call('POST', '/teams', { name: `For ${count}`, hubId: hub.id })
  for (let index = 0; index < 20; index += 1) {
    const phone = `07${String(20_000_000 + count * 1_000 + index)}`
    await call('POST', '/drivers', { name: `Driver ${index}`, phone, teams: [team.id] })
  }
  const tasks = makeTasks(count, count).map((task) => ({ ...task, teamId: team.id }))
  await call('POST', '/tasks/bulkCreate', { tasks })
  await loopLag(url)
  const durations: number[] = []
  let [assigned, unassigned] = [0, 0]
  for (let round = 0; round < 5; round += 1) {
    const from = performance.now()
    const { plan } = await call('POST', '/planning/assign', { teamId: team.id, dryRun: true, includeOffDuty: true })
    durations.push(performance.now() - from)
    assigned = plan.assigned.length
    unassigned = plan.unassigned.length
  }
  const lag = await loopLag(url)
  return {
    'median ms': Math.round(quantile(durations, 0.5)),
    'max ms': Math.round(Math.max(...durations)),
    'loop lag p99 ms': Number(lag.toFixed(1)),
    assigned,
    unassigned,
  }
}

/** The longest delay of the server's event loop since the last call. */
async function loopLag(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return 1_000 * Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1])
}
