import type { Plan } from './evaluate.ts'
import type { Instance } from './instance.ts'
import type { Routes } from './route-numbers.ts'
import { refresh, update } from './times.ts'

/* Making and changing the routes during the search. After every change their numbers are right again (times.ts). */

export function makeRoutes(instance: Instance): Routes {
  const { nodeCount, stopCount, vehicleCount } = instance
  const routes: Routes = {
    instance,
    next: new Int32Array(nodeCount).fill(-1),
    previous: new Int32Array(nodeCount).fill(-1),
    vehicleOf: new Int32Array(nodeCount).fill(-1),
    at: Int32Array.from(instance.place),
    position: new Int32Array(nodeCount),
    leg: new Float64Array(nodeCount),
    start: new Float64Array(nodeCount),
    leave: new Float64Array(nodeCount),
    ahead: new Float64Array(nodeCount),
    lateCost: new Float64Array(nodeCount),
    limit: new Float64Array(nodeCount),
    limitBy: new Float64Array(nodeCount),
    pressure: new Float64Array(nodeCount),
    load: new Float64Array(nodeCount),
    mostLoad: new Float64Array(nodeCount),
    stopsOf: new Int32Array(vehicleCount),
    version: new Int32Array(vehicleCount + 1),
    loadOf: new Float64Array(vehicleCount),
    travelOf: new Float64Array(vehicleCount),
    latenessOf: new Float64Array(vehicleCount),
    bank: Int32Array.from({ length: stopCount }, (_, stop) => stop),
    bankSize: Int32Array.of(stopCount),
    undo: {
      log: new Int32Array(nodeCount + 2 * vehicleCount),
      used: new Int32Array(2),
      isTouched: new Uint8Array(vehicleCount),
      version: new Int32Array(vehicleCount),
      bank: new Int32Array(stopCount),
    },
  }
  for (let vehicle = 0; vehicle < vehicleCount; vehicle += 1) {
    const start = instance.firstStart + vehicle
    const end = instance.firstEnd + vehicle
    routes.vehicleOf[start] = vehicle
    routes.vehicleOf[end] = vehicle
    routes.start[start] = instance.earliest[start]!
    routes.leave[start] = instance.earliest[start]!
    link(routes, start, end)
    if (instance.hasLunch[vehicle]) linkAfter(routes, start, instance.firstLunch + vehicle)
    refresh(routes, vehicle)
  }
  return routes
}

export function link(routes: Routes, first: number, second: number) {
  routes.next[first] = second
  routes.previous[second] = first
}

/** Puts a node into the list. The caller must update the numbers of its route. */
export function linkAfter(routes: Routes, after: number, node: number) {
  const vehicle = routes.vehicleOf[after]!
  link(routes, node, routes.next[after]!)
  link(routes, after, node)
  routes.vehicleOf[node] = vehicle
  if (node < routes.instance.stopCount) routes.stopsOf[vehicle]! += 1
  routes.loadOf[vehicle]! += routes.instance.demand[node]!
}

/** Removes a node from the list. The caller must update the numbers of its route. */
export function unlink(routes: Routes, node: number) {
  const vehicle = routes.vehicleOf[node]!
  link(routes, routes.previous[node]!, routes.next[node]!)
  routes.vehicleOf[node] = -1
  if (node < routes.instance.stopCount) routes.stopsOf[vehicle]! -= 1
  routes.loadOf[vehicle]! -= routes.instance.demand[node]!
}

/** Puts a stop or a lunch into a route and updates the numbers. */
export function insertAfter(routes: Routes, after: number, node: number) {
  linkAfter(routes, after, node)
  update(routes, node)
}

export function putIntoBank(routes: Routes, stop: number) {
  routes.bank[routes.bankSize[0]!] = stop
  routes.bankSize[0]! += 1
}

export function totalCost(routes: Routes): number {
  const { travelOf, latenessOf, bank, instance } = routes
  let sum = 0
  for (let vehicle = 0; vehicle < instance.vehicleCount; vehicle += 1) sum += travelOf[vehicle]! + latenessOf[vehicle]!
  for (let index = 0; index < routes.bankSize[0]!; index += 1) sum += instance.penalty[bank[index]!]!
  return sum
}

export function readPlans(routes: Routes): Plan[] {
  const { instance, next } = routes
  return Array.from({ length: instance.vehicleCount }, (_, vehicle) => {
    const plan: Plan = { stops: [], lunchPosition: 0 }
    const end = instance.firstEnd + vehicle
    for (let node = next[instance.firstStart + vehicle]!; node !== end; node = next[node]!)
      if (node < instance.stopCount) plan.stops.push(node)
      else plan.lunchPosition = plan.stops.length
    return plan
  })
}
