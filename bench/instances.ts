import type { Problem, Stop, Vehicle } from '../core/optimise/problem.ts'

/* Reads published instances: our JSON of TSPTW and VRPTW, the VRPLIB dialect of MDVRPTW, Li and Lim's PDPTW. */

export interface BenchInstance {
  name: string
  problem: Problem
  isFleet: boolean
  /** Undefined if only the validity of the solution is tested. */
  best: number | undefined
}

/** Their windows are hard: a second late costs more than any detour could save. */
const hardWeight = 1_000_000

export function readInstance(file: string, text: string): BenchInstance | undefined {
  const name = file.replace(/\.\w+$/, '')
  if (file.endsWith('.json')) return readJson(name, JSON.parse(text))
  if (file.endsWith('.vrp')) return { name, isFleet: true, best: undefined, problem: readVrplib(text) }
  if (file.startsWith('pdptw')) return { name, isFleet: true, best: undefined, problem: readLiLim(text) }
  return undefined
}

interface StoredInstance {
  matrix: number[][]
  windows: [number, number][]
  service?: number[]
  demand?: number[]
  capacity?: number
  vehicles?: number
  best: number
}

function readJson(name: string, stored: StoredInstance): BenchInstance {
  const { matrix, windows, service, demand, capacity, vehicles } = stored
  const stops = windows.slice(1).map(
    ([earliest, latest], index): Stop => ({
      place: index + 1,
      serviceSeconds: service?.[index + 1] ?? 0,
      earliest,
      latest,
      lateWeight: hardWeight,
      ...(demand && { demand: demand[index + 1]! }),
    }),
  )
  const vehicle = makeVehicle(0, windows[0]!, capacity)
  return {
    name,
    isFleet: vehicles !== undefined,
    best: stored.best,
    problem: {
      placeCount: matrix.length,
      travelSeconds: Int32Array.from(matrix.flat()),
      stops,
      vehicles: new Array(vehicles ?? 1).fill(vehicle),
    },
  }
}

const makeVehicle = (depot: number, [shiftStart, shiftEnd]: [number, number], capacity?: number): Vehicle => ({
  startPlace: depot,
  endPlace: depot,
  shiftStart,
  shiftEnd,
  overtimeWeight: hardWeight,
  ...(capacity !== undefined && { capacity }),
})

/** Distances have fractions; times are kept in thousandths to be whole numbers. */
const fine = 1000

function measureWays(points: [number, number][]): Pick<Problem, 'placeCount' | 'travelSeconds'> {
  const ways = points.flatMap(([x, y]) => points.map(([u, v]) => Math.round(Math.hypot(x - u, y - v) * fine)))
  return { placeCount: points.length, travelSeconds: Int32Array.from(ways) }
}

const readTable = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))

/** Its limit on the length of a route is not part of our model, and not checked. */
function readVrplib(text: string): Problem {
  const capacity = Number(/^CAPACITY\s*:\s*(\d+)/m.exec(text)![1])
  const section = (title: string) =>
    readTable(new RegExp(`^${title}_SECTION\\s*\\n((?:[-\\d.\\s]+\\n)+)`, 'm').exec(text)![1]!)
  const byNode = (title: string) => new Map(section(title).map(([node, ...values]) => [node! - 1, values]))
  const points = section('NODE_COORD').map(([, x, y]): [number, number] => [x!, y!])
  const [demands, services, windows] = [byNode('DEMAND'), byNode('SERVICE_TIME'), byNode('TIME_WINDOW')]
  const depots = new Set(
    section('DEPOT')
      .flat()
      .filter((node) => node > 0)
      .map((node) => node - 1),
  )
  const windowOf = (node: number) => windows.get(node)!.map((time) => Math.round(time * fine)) as [number, number]
  const stops = points.flatMap((_, node): Stop[] => {
    if (depots.has(node)) return []
    const [earliest, latest] = windowOf(node)
    const serviceSeconds = Math.round((services.get(node)?.[0] ?? 0) * fine)
    return [{ place: node, serviceSeconds, earliest, latest, lateWeight: hardWeight, demand: demands.get(node)![0]! }]
  })
  const vehicles = section('VEHICLES_DEPOT').map(([, depot]) => makeVehicle(depot! - 1, windowOf(depot! - 1), capacity))
  return { ...measureWays(points), stops, vehicles }
}

/** Columns: number, x, y, demand, earliest, latest, service, pickup, delivery. */
function readLiLim(text: string): Problem {
  const [[vehicles = 0, capacity = 0] = [], ...rows] = readTable(text)
  const stops = rows.slice(1).map(
    ([place, , , demand, earliest, latest, service]): Stop => ({
      place: place!,
      demand: demand!,
      lateWeight: hardWeight,
      serviceSeconds: service! * fine,
      earliest: earliest! * fine,
      latest: latest! * fine,
    }),
  )
  const precedences = rows.flatMap(([node, , , , , , , , delivery]): [number, number][] =>
    delivery! > 0 ? [[node! - 1, delivery! - 1]] : [],
  )
  const depot = rows[0]!
  const vehicle = makeVehicle(0, [depot[4]! * fine, depot[5]! * fine], capacity)
  const ways = measureWays(rows.map(([, x, y]) => [x!, y!]))
  return { ...ways, stops, precedences, vehicles: new Array(vehicles).fill(vehicle) }
}
