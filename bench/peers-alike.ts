import assert from 'node:assert/strict'
import type { Running } from './processes.ts'
import { createMany, createOne } from './requests.ts'
import { call, key } from './stage.ts'

/* The same requests must mean the same to Waybill and its peers, or comparing them would mean nothing. */

// biome-ignore lint/suspicious/noExplicitAny: tasks of three services
const factsOf = ({ id, awb, details, address, customer, status, timelines }: any) => ({
  isNumbered: Number.isInteger(id),
  awb,
  details,
  address: [address.address, address.lat, address.lng],
  customer: [customer.name, customer.phone.slice(-9)],
  status: status.name,
  timeline: timelines.map(({ event }: { event: string }) => event),
})

// biome-ignore lint/suspicious/noExplicitAny: tasks of three services
function fieldsOf(task: any) {
  const { address, customer, status, paymentType, owner, fulfiller, timelines } = task
  const [entry] = timelines
  const parts = { task, address, customer, status, paymentType, owner, fulfiller, entry, actor: entry.actor }
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, Object.keys(part).sort()]))
}

const bytesOf = (answer: unknown) => Buffer.byteLength(JSON.stringify(answer))

/** Their numbers are written with other lengths, and a uuid is longer than our token. */
const mostDifference = 0.15

const headers = { authorization: key, 'content-type': 'application/json' }

// biome-ignore lint/suspicious/noExplicitAny: answers of three services
export const read = async (api: Running, path: string): Promise<any> =>
  (await fetch(`${api.url}/api/v1${path}`, { headers })).json()

async function lookAt(api: Running) {
  const one = createOne[0]!.body!.replaceAll('{next}', 'alike')
  const { task } = await call({ api }, 'POST', '/tasks', one)
  const { task: found } = await read(api, '/tasks/awb/alike')
  const again = await fetch(`${api.url}/api/v1/tasks`, { method: 'POST', headers, body: one })
  const bulk = createMany(3).body!.replaceAll('{next}', 'alike')
  const { results } = await call({ api }, 'POST', '/tasks/bulkCreate', bulk)
  const { results: refused } = await call({ api }, 'POST', '/tasks/bulkCreate', bulk)
  const { tasks, nextCursor } = await read(api, '/tasks?limit=2')
  const made = results.map(({ data }: { data: object }) => data)
  const all = [task, found, ...made, ...tasks]
  const facts = {
    all: all.map(factsOf),
    fields: all.map(fieldsOf),
    again: again.status,
    refused: refused.map(({ error }: { error: { code: string } }) => error.code),
    page: [tasks.length, typeof nextCursor],
  }
  const bytes = {
    created: bytesOf(task),
    read: bytesOf(found),
    'of a set': bytesOf(made[0]),
    listed: bytesOf(tasks[0]),
  }
  return { facts, bytes: Object.entries(bytes) }
}

export async function requireAlike(waybill: Running, peers: Record<string, Running>) {
  const ours = await lookAt(waybill)
  const bytes = Object.fromEntries(ours.bytes.map(([kind, count]) => [kind, [`waybill ${count}`]]))
  for (const [name, api] of Object.entries(peers)) {
    const theirs = await lookAt(api)
    assert.deepEqual(theirs.facts, ours.facts, name)
    for (const [n, [kind, count]] of theirs.bytes.entries()) {
      const expected = ours.bytes[n]![1]
      const isNear = Math.abs(count / expected - 1) <= mostDifference
      assert.ok(isNear, `${name}: a task ${kind} has ${count} bytes, not ${expected}`)
      bytes[kind]!.push(`${name} ${count}`)
    }
  }
  console.log('\nBytes of a task in an answer:')
  for (const [kind, all] of Object.entries(bytes)) console.log(`${kind}: ${all.join(', ')}`)
}
