import assert from 'node:assert/strict'
import type { Ground } from './week-ground.ts'
import { Assigned, Failed, type Parcel, Succeeded } from './week-model.ts'

/* The office tries again, brings back, corrects, and puts right what was recorded wrongly. */

export function openOffice(ground: Ground) {
  const {
    server,
    model,
    drivers,
    counts,
    heldBy,
    upTo,
    oneOf,
    shuffled,
    random,
    idOf,
    did,
    refused,
    follow,
    returnByItself,
  } = ground
  async function tryAgain() {
    const failed = shuffled(model.parcels.filter((one) => one.statusId === Failed && !model.isFollowed(one)))
    const together: Parcel[] = []
    for (const parcel of failed) {
      const path = `/tasks/awb/${parcel.awb}`
      const choice = random()
      if (choice < 0.35) {
        const driver = random() < 0.5 ? upTo(drivers.length) : null
        const answer = server.post(`${path}/reattempt`, driver === null ? {} : { userId: idOf(driver) })
        const why = model.whyNoReattempt(parcel)
        if (why) await refused(answer, why)
        else {
          follow(model.reattempt(parcel, driver), await did(answer))
          counts.tries += 1
        }
      } else if (choice < 0.6) together.push(parcel)
      else if (choice < 0.75) {
        const answer = server.post(`${path}/return`, {})
        const why = model.whyNoReturn(parcel)
        if (why) await refused(answer, why)
        else {
          follow(model.bringBack(parcel), await did(answer))
          counts.returns += 1
        }
      } else if (choice < 0.85) await correct(parcel, true)
    }
    await tryAgainTogether(together)
  }

  async function tryAgainTogether(parcels: readonly Parcel[]) {
    const more = shuffled(model.parcels).slice(0, 2)
    const all = [...new Set([...parcels, ...more])]
    const driver = upTo(drivers.length)
    const body = { tasks: all.map(({ awb }) => awb), userId: idOf(driver) }
    const { results } = await did(server.post('/tasks/bulkReattempt', body))
    for (const [at, parcel] of all.entries()) {
      const why = model.whyNoReattempt(parcel)
      assert.equal(results[at].error?.code, why, `${parcel.awb} again`)
      if (why) continue
      follow(model.reattempt(parcel, driver), { task: results[at].data })
      counts.tries += 1
    }
  }

  async function correct(parcel: Parcel, isDone: boolean) {
    const reason = isDone ? 'The neighbour had it' : 'It was the wrong parcel'
    const answer = server.post(`/tasks/awb/${parcel.awb}/correct`, { statusId: isDone ? Succeeded : Failed, reason })
    await did(answer)
    model.correct(parcel, isDone, reason)
    counts.corrections += 1
    await returnByItself()
  }

  async function correctSome() {
    const ended = model.parcels.filter((one) => one.statusId === Succeeded && !model.isFollowed(one))
    for (const parcel of shuffled(ended).slice(0, upTo(3))) await correct(parcel, false)
    const followed = model.parcels.find((one) => (one.reattemptedAs?.statusId ?? Succeeded) < Succeeded)
    const body = { statusId: Succeeded, reason: 'No' }
    if (followed) await refused(server.post(`/tasks/awb/${followed.awb}/correct`, body), 'TASK_REATTEMPTED')
  }

  /** The office ends a task for a driver, and takes back money that was recorded wrongly. */
  async function putRight() {
    const open = model.parcels.filter((one) => one.statusId === Assigned && one.price && !heldBy.has(one))
    const parcel = oneOf(open)
    if (parcel && random() < 0.5) {
      await did(server.put(`/tasks/awb/${parcel.awb}/forceComplete`, { success: false, failureReason: 'Damaged' }))
      model.end(parcel, false, 'Damaged', ground.today)
      await returnByItself()
    }
    const paid = oneOf(model.payments.filter(({ amount, method }) => amount > 100 && method === 'cash'))
    const wrong = model.parcels.find(({ awb, statusId }) => awb === paid?.awb && statusId === Succeeded)
    if (!paid || !wrong) return
    const body = { amount: -0.37, method: 'cash', userId: idOf(paid.driver) }
    await did(server.post(`/tasks/${wrong.id}/payments`, body))
    model.pay(wrong, paid.driver, 'cash', -37, ground.today)
    counts.payments += 1
  }

  return { tryAgain, correctSome, putRight }
}
