import type { Routes } from './route-numbers.ts'
import { link, putIntoBank } from './routes.ts'
import { refresh } from './times.ts'

/* An attempt changes some routes and is kept or undone; the best order so far is saved and restored. */

/** From here on everything can be undone. */
export function beginAttempt(routes: Routes) {
  const { undo, bank, bankSize } = routes
  undo.used[0] = 0
  undo.used[1] = bankSize[0]!
  undo.isTouched.fill(0)
  for (let index = 0; index < bankSize[0]!; index += 1) undo.bank[index] = bank[index]!
}

/** Saves a route before its first change. */
export function touch(routes: Routes, vehicle: number) {
  const { instance, next, undo } = routes
  if (undo.isTouched[vehicle]) return
  undo.isTouched[vehicle] = 1
  undo.version[vehicle] = routes.version[vehicle]!
  const { log } = undo
  const head = undo.used[0]!
  let used = head + 2
  const end = instance.firstEnd + vehicle
  for (let node = next[instance.firstStart + vehicle]!; node !== end; node = next[node]!) {
    log[used] = node
    used += 1
  }
  log[head] = vehicle
  log[head + 1] = used - head - 2
  undo.used[0] = used
}

/** A route that an attempt left as it was keeps its version, so that remembered scans of it stay valid. */
export function keep(routes: Routes) {
  const { instance, next, undo, version } = routes
  const { log, used } = undo
  for (let head = 0; head < used[0]!; head += 2 + log[head + 1]!) {
    const vehicle = log[head]!
    const last = head + 2 + log[head + 1]!
    let node = next[instance.firstStart + vehicle]!
    let index = head + 2
    for (; index < last && log[index] === node; index += 1) node = next[node]!
    if (index === last && node === instance.firstEnd + vehicle) version[vehicle] = undo.version[vehicle]!
  }
}

/** Restores the state before the attempt. */
export function takeBack(routes: Routes) {
  const { undo, bank, bankSize, vehicleOf } = routes
  const { log, used } = undo
  bankSize[0] = used[1]!
  for (let index = 0; index < used[1]!; index += 1) {
    bank[index] = undo.bank[index]!
    vehicleOf[bank[index]!] = -1
  }
  for (let head = 0; head < used[0]!; head += 2 + log[head + 1]!) {
    const vehicle = log[head]!
    relink(routes, vehicle, log, head + 2, log[head + 1]!)
    routes.version[vehicle] = undo.version[vehicle]!
  }
}

/** The order of all routes, to be restored by `restore`. */
export function copyOrder(routes: Routes, into: Int32Array): Int32Array {
  const { instance, next } = routes
  let used = 0
  for (let vehicle = 0; vehicle < instance.vehicleCount; vehicle += 1) {
    const end = instance.firstEnd + vehicle
    for (let node = next[instance.firstStart + vehicle]!; ; node = next[node]!) {
      into[used] = node
      used += 1
      if (node === end) break
    }
  }
  into.fill(-1, used)
  return into
}

export function restore(routes: Routes, order: Int32Array) {
  const { instance, vehicleOf, bankSize } = routes
  vehicleOf.fill(-1, 0, instance.firstStart)
  let used = 0
  for (let vehicle = 0; vehicle < instance.vehicleCount; vehicle += 1) {
    const length = order.indexOf(instance.firstEnd + vehicle, used) - used
    relink(routes, vehicle, order, used, length)
    used += length + 1
  }
  bankSize[0] = 0
  for (let stop = 0; stop < instance.stopCount; stop += 1) if (vehicleOf[stop] === -1) putIntoBank(routes, stop)
}

function relink(routes: Routes, vehicle: number, order: Int32Array, from: number, length: number) {
  const { instance, vehicleOf } = routes
  let before = instance.firstStart + vehicle
  let stops = 0
  let load = 0
  for (let index = from; index < from + length; index += 1) {
    const node = order[index]!
    link(routes, before, node)
    vehicleOf[node] = vehicle
    load += instance.demand[node]!
    if (node < instance.stopCount) stops += 1
    before = node
  }
  link(routes, before, instance.firstEnd + vehicle)
  routes.stopsOf[vehicle] = stops
  routes.loadOf[vehicle] = load
  refresh(routes, vehicle)
}
