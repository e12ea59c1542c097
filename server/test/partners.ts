import type { TestContext } from 'node:test'
import { aTask } from './factories.ts'
import { startServer } from './server.ts'

/* Organisations that share tasks. */

export type World = Awaited<ReturnType<typeof startServer>>
export type Party = Pick<World, 'get' | 'post' | 'put' | 'delete' | 'organisationId' | 'triggers' | 'key'>

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
