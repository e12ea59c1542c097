import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { makePng } from './pictures.ts'
import { request } from './server.ts'
import type { Done, Ground, Wire } from './week-ground.ts'
import { Assigned, InTransit, type Method, type Parcel } from './week-model.ts'

/* Drivers with phones that send what they did at once, in parts, or days later. */

const dayMs = 24 * 3_600_000
const reasons = ['Nobody at home', 'Refused', 'Address not found']

export function openDrivers(ground: Ground) {
  const { server, model, drivers, counts, heldBy, stopOf, upTo, oneOf, shuffled, random, did, returnByItself } = ground
  /** What a driver does at the doors of a day; it is sent now, or only some of it. */
  function workADay(driver: number): Done[] {
    const done: Done[] = []
    const doneOn = ground.today
    const note = (parcel: Parcel, op: Record<string, unknown>, apply: () => void = () => {}) =>
      done.push({ op: { opId: randomUUID(), taskId: parcel.id, ...op }, doneOn, doneMs: Date.now(), apply })
    const own = model.parcels.filter((parcel) => parcel.driver === driver && parcel.statusId === Assigned)
    const going = shuffled(own).filter(() => random() < 0.9)
    const stops = Map.groupBy(going, stopOf)
    for (const stop of stops.values()) {
      const fileId = randomUUID()
      for (const parcel of stop) {
        note(parcel, { type: 'start' }, () => (parcel.statusId = InTransit))
        note(parcel, { type: 'arrive' })
      }
      for (const parcel of stop) {
        const isDone = random() < (parcel.returnOf ? 0.9 : 0.6)
        for (const [method, amount] of moneyFor(parcel, isDone))
          note(parcel, { type: 'payment', method, amount: amount / 100 }, () => {
            model.pay(parcel, driver, method, amount, doneOn)
            counts.payments += 1
          })
        if (isDone) {
          note(parcel, { type: 'signature', fileId, name: 'Ana' })
          note(parcel, { type: 'complete' }, () => model.end(parcel, true, null, doneOn))
        } else {
          const reason = oneOf(reasons)
          note(parcel, { type: 'fail', reason }, () => model.end(parcel, false, reason, doneOn))
        }
      }
    }
    return done
  }

  /** All at once, in two ways, a part of it, or nothing. */
  function moneyFor({ left }: Parcel, isDone: boolean): [Method, number][] {
    if (!left) return []
    const choice = random() + (isDone ? 0 : 0.75)
    const part = 1 + upTo(left)
    if (choice < 0.4) return [['cash', left]]
    if (choice < 0.6) return [['card', left]]
    if (choice < 0.75 && part < left)
      return [
        ['cash', part],
        ['card', left - part],
      ]
    return choice < 0.85 ? [[oneOf(['cash', 'card'] as const), part]] : []
  }

  async function send(driver: number, done: readonly Done[]) {
    if (done.length === 0) return
    const { key } = drivers[driver] as (typeof drivers)[number]
    const ops = done.map(({ op, doneOn, doneMs }) => ({
      ...op,
      occurredAt: new Date(doneMs - (ground.today - doneOn) * dayMs).toISOString(),
    }))
    for (let at = 0; at < ops.length; at += 100) {
      const body = { deviceTime: new Date().toISOString(), ops: ops.slice(at, at + 100) }
      const { results } = await did(request(server.url, 'POST', '/api/v1/driver/sync', { key, body }))
      const wrong = results.filter(({ success }: Wire) => !success)
      assert.deepEqual(wrong, [], 'phones say nothing that the server refuses')
    }
    for (const { apply } of done) apply()
    const signed = done.find(({ op }) => op['type'] === 'signature')
    if (signed)
      await request(server.url, 'PUT', `/api/v1/driver/files/${signed.op['fileId']}`, {
        key,
        raw: makePng(40, 20),
        headers: { 'content-type': 'application/octet-stream' },
      })
    await returnByItself()
  }

  /** Some phones lose the network in the middle of the day, and are back a day or two later. */
  async function sendLate(driver: number) {
    const phone = drivers[driver] as (typeof drivers)[number]
    counts.late += phone.waiting.length
    await send(driver, phone.waiting.splice(0))
    for (const [parcel, holder] of heldBy) if (holder === driver) heldBy.delete(parcel)
  }

  async function drive(driver: number) {
    const phone = drivers[driver] as (typeof drivers)[number]
    if (phone.waiting.length > 0 && random() < 0.3) return
    await sendLate(driver)
    const done = workADay(driver)
    const heard = random() < 0.4 ? upTo(done.length + 1) : done.length
    await send(driver, done.slice(0, heard))
    phone.waiting = done.slice(heard)
    for (const { op } of phone.waiting)
      heldBy.set(model.parcels.find(({ id }) => id === op['taskId']) as Parcel, driver)
  }

  return { drive, sendLate }
}
