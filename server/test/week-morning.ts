import assert from 'node:assert/strict'
import type { Ground, Wire } from './week-ground.ts'
import { Assigned, type Parcel, Succeeded, Unassigned } from './week-model.ts'
import { readZpl } from './zpl.ts'

/* What comes in is imported, labelled, given to drivers and loaded. */

const doors = Array.from({ length: 12 }, (_, at) => ({
  address: `Strada Lungă ${at + 1}, București`,
  lat: 44.4 + at * 0.004,
  lng: 26.05 + at * 0.003,
}))

export function openMorning(ground: Ground) {
  const {
    server,
    model,
    drivers,
    counts,
    heldBy,
    doorOf,
    inVehicle,
    upTo,
    oneOf,
    shuffled,
    random,
    idOf,
    dayName,
    isForTomorrow,
    did,
    listTasks,
    size,
  } = ground
  /** The number of the schedule, once there is one. */
  let scheduleId: number | undefined

  async function importParcels() {
    const made = Array.from({ length: size.parcels }, (_, at) => {
      const price = random() < 0.35 ? null : 1 + upTo(30_000)
      return { awb: `P${ground.today}-${at + 1}`, price, door: oneOf(doors) }
    })
    const tasks = made.map(({ awb, price, door }) => ({
      awb,
      address: door,
      ...(price !== null && { totalPrice: price / 100 }),
    }))
    const { results } = await did(server.post('/tasks/bulkCreate', { tasks }))
    for (const [at, { awb, price, door }] of made.entries()) {
      assert.equal(results[at].success, true, JSON.stringify(results[at]))
      model.add({ awb, price, id: results[at].data.id })
      doorOf.set(awb, door.address)
    }
    counts.parcels += made.length
  }

  /** One task every day, made a day ahead. */
  async function makeRegularWork() {
    if (scheduleId === undefined) {
      const task = { address: doors[0], totalPrice: 12.35 }
      const given = { name: 'Market', task, repeats: { every: 'day' }, daysAhead: 1 }
      scheduleId = (await did(server.post('/schedules', given))).schedule.id
    }
    await server.makeRound('scheduling')
    const query = `from=${dayName(ground.today)}&to=${dayName(ground.today + 1)}`
    const { occurrences } = await did(server.get(`/schedules/${scheduleId}/occurrences?${query}`))
    assert.equal(occurrences.length, 2, 'today and tomorrow')
    const known = new Set(model.parcels.map(({ awb }) => awb))
    const tasks = (await listTasks()).filter((task) => task.scheduleId === scheduleId && !known.has(task.awb))
    assert.equal(tasks.length, ground.today === 0 ? 2 : 1, 'each day is made once')
    for (const { awb, id } of tasks) model.add({ awb, id, price: 1235 })
    ground.ahead = occurrences[1].awb
    counts.parcels += tasks.length
  }

  /** What a printer reads from the labels is what was asked for. */
  async function printLabels() {
    const awbs = model.parcels.filter(({ statusId }) => statusId === Unassigned).map(({ awb }) => awb)
    const { text } = await server.post('/labels', { awbs, format: 'zpl' })
    const codes = readZpl(text).map((fields) => fields.find(({ kind }) => kind === 'qr')?.data)
    assert.deepEqual(codes, awbs)
    const { bytes } = await server.post('/labels', { awbs: awbs.slice(0, 4), format: 'pdf-a4' })
    assert.equal(Buffer.from(bytes.subarray(0, 5)).toString(), '%PDF-')
  }

  async function assign() {
    const free = shuffled(model.parcels.filter(({ statusId }) => statusId === Unassigned))
    const going = free.filter(() => random() < 0.85)
    for (const driver of drivers.keys()) {
      const own = going.filter((_, at) => at % drivers.length === driver)
      const position = random() < 0.3 ? { position: 'best' } : {}
      const tasks = own.map(({ awb }) => awb)
      const { results } = await did(server.put(`/containers/drivers/${idOf(driver)}`, { tasks, ...position }))
      assert.ok(
        results.every(({ success }: Wire) => success),
        JSON.stringify(results),
      )
      for (const parcel of own) model.give(parcel, driver)
    }
  }

  /** At the hub and into the vehicles: some are missing, some in the wrong vehicle, and some nobody knows. */
  async function load() {
    for (const driver of drivers.keys()) {
      const own = model.parcels.filter((one) => one.driver === driver && one.statusId === Assigned && !heldBy.has(one))
      const isOther = (one: Parcel) => one.driver !== driver && one.driver !== null && !isForTomorrow(one.awb)
      const others = model.parcels.filter((one) => isOther(one) && one.statusId < Succeeded)
      const loaded = own.filter(() => random() < 0.9)
      const foreign = shuffled(others).slice(0, upTo(2))
      const read = (parcels: readonly Parcel[]) => parcels.map((one) => (random() < 0.5 ? one.awb : one.root))
      const codes = [...read(loaded), ...foreign.map(({ awb }) => awb), `${ground.today}${driver}5941234567890`]
      const scans = codes.map((code) => ({ code, at: 'vehicle', userId: idOf(driver) }))
      const { results } = await did(server.post('/scans/bulkCreate', { scans }))
      const shown = results.map(({ data }: Wire) => [data.task?.awb ?? null, data.scan.result])
      // What is meant for tomorrow is not loaded today.
      const wanted = [
        ...loaded.map(({ awb }) => [awb, isForTomorrow(awb) ? 'otherDay' : 'expected']),
        ...foreign.map(({ awb }) => [awb, 'wrongDriver']),
        [null, 'unknown'],
      ]
      assert.deepEqual(shown, wanted)
      for (const parcel of loaded) if (!isForTomorrow(parcel.awb)) inVehicle.add(parcel)
      const { loads } = await did(server.get(`/loads?userId=${idOf(driver)}`))
      const missing = own.filter((one) => !inVehicle.has(one) && !isForTomorrow(one.awb)).map(({ awb }) => awb)
      const told = loads[0].parcels.filter((one: Wire) => one.missing && one.statusId === Assigned)
      const held = new Set([...heldBy.keys()].map(({ awb }) => awb))
      const names = told.map(({ awb }: Wire) => awb).filter((awb: string) => !held.has(awb))
      assert.deepEqual(names.sort(), missing.sort(), 'the driver must not leave without these')
      counts.scans += codes.length
    }
  }

  return { importParcels, makeRegularWork, printLabels, assign, load }
}
