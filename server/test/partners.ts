import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { aTask, makeDriver, signIn } from './factories.ts'
import { request, startServer } from './server.ts'

/* Organisations that share tasks. */

export type World = Awaited<ReturnType<typeof startServer>>
export type Party = Pick<
  World,
  'get' | 'post' | 'put' | 'delete' | 'organisationId' | 'triggers' | 'key' | 'url' | 'database'
>

export async function agree(one: Party, other: Party) {
  await one.post('/partners', { companyId: other.organisationId })
  await other.post('/partners', { companyId: one.organisationId })
}

export const taskOf = async (party: Party, awb: string) => (await party.get(`/tasks/awb/${awb}`)).body.task

/** A shop and a courier who are partners, and a parcel of the shop. `isLater`: the shop has the higher number. */
export async function aPair(t: TestContext, isLater = false) {
  const first = await startServer(t)
  const second = await first.another()
  const [shop, courier]: [Party, Party] = isLater ? [second, first] : [first, second]
  await agree(shop, courier)
  const awb = `P-${shop.organisationId}`
  const { task } = (
    await shop.post('/tasks', aTask({ awb, totalPrice: 50, customer: { name: 'Ana', phone: '0722000111' } }))
  ).body
  const delegate = () => shop.put(`/tasks/${task.id}/delegate`, { companyId: courier.organisationId })
  return { server: first, shop, courier, awb, task, delegate }
}

/** Gives a task to a partner, under the awb that it has there too. */
export async function give(from: Party, to: Party, awb: string) {
  const { id } = await taskOf(from, awb)
  const { status, text } = await from.put(`/tasks/${id}/delegate`, { companyId: to.organisationId })
  assert.equal(status, 200, text)
}

/** A driver of a party, and what they do with the task of an awb. */
export async function aDriverOf(party: Party, given: object = {}) {
  const driver = await makeDriver(party, given)
  const key = await signIn(party, driver)
  return {
    ...driver,
    key,
    take: async (awb: string) => {
      const { id } = await taskOf(party, awb)
      const { body } = await party.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [id] })
      assert.equal(body.results[0].success, true)
    },
    act: async (verb: string, awb: string, body: object = {}) => {
      const { id } = await taskOf(party, awb)
      const done = await request(party.url, 'POST', `/api/v1/driver/tasks/${id}/${verb}`, { key, body })
      assert.equal(done.status, 200, `${verb}: ${done.text}`)
    },
    pay: async (awb: string, amount: number, occurredAt = new Date().toISOString()) => {
      const { id: taskId } = await taskOf(party, awb)
      const ops = [{ opId: randomUUID(), type: 'payment', taskId, occurredAt, amount, method: 'cash' }]
      const body = { deviceTime: new Date().toISOString(), ops }
      const paid = await request(party.url, 'POST', '/api/v1/driver/sync', { key, body })
      assert.equal(paid.body.results[0].success, true, paid.text)
    },
  }
}
