import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { aTask } from '../factories.ts'
import { type Reply, request, startServer, type TestServer } from '../server.ts'

/** The body of a response that must be successful. */
export async function ok(reply: Promise<Reply>) {
  const { status, body } = await reply
  assert.equal(body.success, true, `${status} ${JSON.stringify(body)}`)
  return body
}

/** A response that must be a refusal; the interface does not define its form. */
export async function refused(reply: Promise<Reply>) {
  const { status, body } = await reply
  assert.equal(body.success, false, `${status} ${JSON.stringify(body)}`)
  return body
}

/** An unassigned task. */
export async function createTask(server: Pick<TestServer, 'post'>, given: object = {}) {
  return (await ok(server.post('/tasks', aTask(given)))).task
}

let phones = 0

/** A Romanian mobile number not used before in this file. */
export const aPhone = () => `07220${String(++phones).padStart(5, '0')}`

export const aHub = (given: object = {}) => ({
  name: 'Depozit Nord',
  lat: 44.5,
  lng: 26.1,
  city: 'București',
  ...given,
})

/** An organisation with a hub, a team and a driver, and short functions for what every test does. */
export async function startWorld(t: TestContext, environment: Record<string, string> = {}) {
  const server = await startServer(t, environment)
  const { hub } = await ok(server.post('/hubs', { name: 'Depozit Nord', lat: 44.5, lng: 26.1, city: 'București' }))
  await ok(server.post('/teams', { name: 'Nord', hubId: hub.id, drivers: [] }))
  const team = (await ok(server.get('/teams'))).teams[0]

  async function makeDriver(given: object = {}) {
    const sent = { name: 'Ion Popescu', phone: aPhone(), teams: [team.id], ...given }
    return (await ok(server.post('/drivers', sent))).user
  }
  const driver = await makeDriver()

  return {
    ...server,
    hub,
    team,
    driver,
    makeDriver,

    create: (given: object = {}) => createTask(server, given),

    /** Creates tasks for the driver. */
    async createAssigned(...given: object[]) {
      const tasks = (given.length > 0 ? given : [{}]).map((task) => aTask(task))
      const { results } = await ok(server.post(`/drivers/${driver.id}/tasks/bulkCreate`, { tasks }))
      return results.map(({ data }: { data: object }) => data)
    },

    async tasksOfDriver(driverId = driver.id) {
      return (await ok(server.get(`/drivers/${driverId}/tasks`))).tasks
    },

    /** Signs the driver in. */
    async logIn() {
      const { code } = await ok(server.post(`/drivers/${driver.id}/invite`))
      const body = { phone: driver.phone, code }
      const { token } = await ok(request(server.url, 'POST', '/api/v1/driver/login', { body }))
      const call = (method: string, path: string, sent: object = {}) =>
        ok(request(server.url, method, `/api/v1/driver${path}`, { key: token, body: sent }))
      await call('PUT', '/duty', { inShift: true })
      return async (verb: string, task: { id: number }, sent: object = {}) =>
        (await call('POST', `/tasks/${task.id}/${verb}`, sent)).task
    },
  }
}

export type World = Awaited<ReturnType<typeof startWorld>>
