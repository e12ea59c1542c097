import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { hubs, makeDrivers, makeTeams } from '../cli/demo/cast.ts'
import { type Day, dayAround } from '../cli/demo/day.ts'
import { makeTasks } from '../cli/demo/tasks.ts'
import type { Point } from '../core/geo.ts'
import { evaluatePlans, type Plan } from '../core/optimise/evaluate.ts'
import type { Problem, Stop, Vehicle } from '../core/optimise/problem.ts'
import { solve } from '../core/optimise/solve.ts'
import { decodePolyline } from '../core/polyline.ts'
import { estimateTravelTable, slowdownOf, type TravelTable } from '../core/travel.ts'
import { unitsPerDegree } from '../server/map/extract/block.ts'
import { openExtract } from '../server/map/extract/extract.ts'
import { openRoadFile, roadsFile } from '../server/map/roads/file.ts'
import { createRoadMaker } from '../server/map/roads/maker.ts'
import { openRouter, type Router } from '../server/map/roads/router.ts'
import { seededRandom } from '../server/test/random.ts'
import { median, printHeader, quantile } from './measure.ts'

/*
 * What roads win: `npm run bench -- road-plans --file EXTRACT.osm.pbf`. Days of the demo, by seed, are planned by the estimate and by the
 * roads, and both plans are driven on the roads, in the traffic of every plan. `--scattered` puts the same tasks anywhere in the extract,
 * for one that is not of Bucharest; `--picture FILE.webp` draws the first day.
 */

const firstNoon = Date.parse('2026-03-02T10:00:00Z')
const [lateWeight, overtimeWeight, attempts] = [10, 5, 2_000]

export async function run(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      file: { type: 'string' },
      days: { type: 'string', default: '5' },
      tasks: { type: 'string', default: '200' },
      drivers: { type: 'string', default: '12' },
      scattered: { type: 'boolean', default: false },
      picture: { type: 'string' },
    },
  })
  const { file } = values
  if (!file) throw new Error('Say which extract: npm run bench -- road-plans --file EXTRACT.osm.pbf')
  printHeader('Plans by estimate and by roads', 1)
  const folder = await mkdtemp(join(os.tmpdir(), 'waybill-bench-road-plans-'))
  try {
    const path = await makeRoads(file, folder)
    const router = openRouter(path)
    const days = Array.from({ length: Number(values.days) }, (_, at) =>
      planDay(router, {
        seed: at + 1,
        count: Number(values.tasks),
        drivers: Number(values.drivers),
        isScattered: values.scattered,
      }),
    )
    for (const { told } of days) console.table(sumUp([told]))
    console.table(sumUp(days.map(({ told }) => told)))
    const [first] = days
    if (values.picture && first) await draw(path, router, first, values.picture)
    router.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeRoads(file: string, folder: string): Promise<string> {
  const scratch = join(folder, 'scratch')
  await mkdir(scratch)
  const extract = await openExtract(file)
  const maker = createRoadMaker(folder, { progress: () => {} })
  try {
    await extract.read([maker], { folder: scratch })
    await maker.finish()
  } finally {
    await maker.dispose()
    await extract.close()
  }
  return join(folder, roadsFile)
}

interface Asked {
  seed: number
  count: number
  drivers: number
  isScattered: boolean
}

function planDay(router: Router, asked: Asked) {
  const { places, stops, vehicles } = makeDay(router, asked)
  const guessed = estimateTravelTable(places, 'best_guess', 'car')
  const real = byRoads(router, places, guessed)
  const problemBy = (table: TravelTable): Problem => ({
    travelSeconds: table.seconds,
    placeCount: places.length,
    stops,
    vehicles,
  })
  const plansBy = (table: TravelTable): Plan[] =>
    solve(problemBy(table), { seed: asked.seed, iterations: attempts }).routes.map(({ visits, lunch }) => ({
      stops: visits.map(({ stop }) => stop),
      lunchPosition: lunch?.position ?? 0,
    }))
  const driven = (plans: Plan[], promised: TravelTable) => {
    const { routes } = evaluatePlans(problemBy(real), plans)
    const told = evaluatePlans(problemBy(promised), plans).routes
    const off = routes.flatMap(({ visits }, driver) =>
      visits.map(({ arrival }, at) => Math.abs(arrival - told[driver]!.visits[at]!.arrival) / 60),
    )
    const late = routes.flatMap(({ visits }) => visits.map(({ lateSeconds }) => lateSeconds)).filter((one) => one > 0)
    const metres = plans.reduce(
      (sum, plan, driver) => sum + lengthOf(plan, vehicles[driver]!, stops, real, places.length),
      0,
    )
    return {
      km: metres / 1_000,
      hours: routes.reduce((sum, { cost }) => sum + cost.travel, 0) / 3_600,
      late: late.length,
      lateMinutes: late.reduce((sum, one) => sum + one, 0) / 60,
      off: median(off),
      farOff: quantile(off, 0.9),
    }
  }
  const plans = { estimate: plansBy(guessed), roads: plansBy(real) }
  const [estimate, roads] = [driven(plans.estimate, guessed), driven(plans.roads, real)]
  return { told: { estimate, roads }, plans, places, stops, vehicles }
}

type Told = ReturnType<typeof planDay>['told']

/** The tasks and drivers of a day of the demo, all of it before the first has left. */
function makeDay(router: Router, { seed, count, drivers, isScattered }: Asked) {
  const day = dayAround(new Date(firstNoon))
  const teams = makeTeams(drivers)
  const tasks = makeTasks(seed, count, teams.length, day).flatMap(({ input }) => {
    const { lat, lng } = input.address
    return lat == null || lng == null ? [] : [{ ...input, place: { lat, lng } as Point }]
  })
  const anywhere = pickPlaces(router, seed, tasks.length + hubs.length)
  const hubPlaces: Point[] = isScattered ? anywhere.slice(0, hubs.length) : hubs
  const places = [...hubPlaces, ...tasks.map(({ place }, at) => (isScattered ? anywhere[hubs.length + at]! : place))]
  const stops = tasks.map(
    ({ serviceTime = 5, completeAfter, completeBefore, priority = 0 }, at): Stop => ({
      place: hubs.length + at,
      serviceSeconds: Number(serviceTime) * 60,
      earliest: Math.max(0, secondsOf(day, completeAfter)),
      latest: secondsOf(day, completeBefore),
      lateWeight: lateWeight * (1 + Number(priority)),
    }),
  )
  const vehicles = makeDrivers(seed, drivers, day).map(
    ({ team }): Vehicle => ({
      startPlace: teams[team]!.hub,
      endPlace: null,
      shiftStart: 0,
      shiftEnd: (day.end.getTime() - day.start.getTime()) / 1_000,
      overtimeWeight,
    }),
  )
  return { places, stops, vehicles }
}

const secondsOf = ({ start }: Day, time: unknown) => Math.round((Date.parse(String(time)) - start.getTime()) / 1_000)

/** In the middle of the extract, and where a road is. */
function pickPlaces({ bounds: [west, south, east, north], legs }: Router, seed: number, count: number): Point[] {
  const random = seededRandom(seed)
  const within = (from: number, to: number) => from + (to - from) * (0.3 + 0.4 * random())
  const places: Point[] = []
  while (places.length < count) {
    const place = { lat: within(south, north), lng: within(west, east) }
    const before = places.at(-1)
    if (!before || legs('car', [before, place])[0]) places.push(place)
  }
  return places
}

/** As planning has it: the time of an empty road, lengthened by traffic; where no road is known, the estimate. */
function byRoads(router: Router, places: readonly Point[], guessed: TravelTable): TravelTable {
  const { seconds, metres } = router.table('car', places)
  const slowdown = slowdownOf('best_guess', 'car')
  return {
    seconds: Int32Array.from(seconds, (one, at) => (one < 0 ? guessed.seconds[at]! : Math.ceil(one * slowdown))),
    metres: Int32Array.from(metres, (one, at) => (one < 0 ? guessed.metres[at]! : Math.ceil(one))),
  }
}

function lengthOf(plan: Plan, vehicle: Vehicle, stops: readonly Stop[], { metres }: TravelTable, size: number): number {
  let [sum, from] = [0, vehicle.startPlace]
  for (const stop of plan.stops) {
    const { place } = stops[stop]!
    sum += metres[from * size + place]!
    from = place
  }
  return sum
}

function sumUp(days: readonly Told[]) {
  const total = (of: (day: Told) => number) => days.reduce((sum, day) => sum + of(day), 0)
  const rowOf = (by: 'estimate' | 'roads') => ({
    km: Math.round(total((day) => day[by].km)),
    'hours driven': Math.round(10 * total((day) => day[by].hours)) / 10,
    'tasks late': total((day) => day[by].late),
    'minutes late': Math.round(total((day) => day[by].lateMinutes)),
    'ETA off by, minutes': (total((day) => day[by].off) / days.length).toFixed(1),
    'one in ten by more than': (total((day) => day[by].farOff) / days.length).toFixed(1),
  })
  return { 'planned by the estimate': rowOf('estimate'), 'planned by roads': rowOf('roads') }
}

// ---- The picture: the routes of a day, planned both ways, as they are driven ----

const side = 520
const title = 34
const colours = [
  '#175cd3',
  '#b54708',
  '#067647',
  '#6927da',
  '#b42318',
  '#0e7490',
  '#a15c07',
  '#c11574',
  '#3b7c0f',
  '#344054',
]

async function draw(
  path: string,
  router: Router,
  { told, plans, places, stops, vehicles }: ReturnType<typeof planDay>,
  to: string,
) {
  const lats = places.map(({ lat }) => lat)
  const lngs = places.map(({ lng }) => lng)
  const [south, north, west, east] = [Math.min(...lats), Math.max(...lats), Math.min(...lngs), Math.max(...lngs)]
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180)
  const scale = (side - 24) / Math.max(north - south, (east - west) * narrow)
  const spot = ({ lat, lng }: Point) =>
    `${(12 + (lng - west) * narrow * scale).toFixed(1)},${(12 + (north - lat) * scale).toFixed(1)}`
  const height = Math.ceil(24 + (north - south) * scale)
  const width = Math.ceil(24 + (east - west) * narrow * scale)
  const ground = groundOf(path, spot, [south, west, north, east])
  const routesOf = (by: Plan[]) =>
    by.map((plan, driver) => {
      const through = [vehicles[driver]!.startPlace, ...plan.stops.map((stop) => stops[stop]!.place)].map(
        (at) => places[at]!,
      )
      const lines = router
        .legs('car', through)
        .map((leg, at) => (leg ? decodePolyline(leg.line) : through.slice(at, at + 2)))
      const colour = colours[driver % colours.length]
      const dots = through
        .slice(1)
        .map((place) => `<circle cx="${spot(place).replace(',', '" cy="')}" r="2.6" fill="${colour}"/>`)
      return `<polyline points="${lines.flat().map(spot).join(' ')}" fill="none" stroke="${colour}" stroke-width="1.8" stroke-linejoin="round"/>${dots.join('')}`
    })
  const part = (
    at: number,
    name: string,
    by: 'estimate' | 'roads',
  ) => `<svg x="${at * width}" width="${width}" height="${height + title}">
<text x="12" y="22">${name}: ${told[by].km.toFixed(0)} km, ${told[by].hours.toFixed(1)} hours driven, ${told[by].late} late</text>
<svg y="${title}" width="${width}" height="${height}">${ground}${routesOf(plans[by]).join('')}</svg></svg>`
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${2 * width}" height="${height + title}">
<style>text { font: 600 14px Inter, sans-serif; fill: #101828 }</style><rect width="100%" height="100%" fill="#ffffff"/>
${part(0, 'Planned by the estimate', 'estimate')}${part(1, 'Planned by roads', 'roads')}
<text x="${2 * width - 8}" y="${height + title - 8}" text-anchor="end" style="font-size: 11px; font-weight: 400">© OpenStreetMap contributors</text></svg>`
  await sharp(Buffer.from(picture)).webp({ quality: 78 }).toFile(to)
  console.log(`The picture is in ${to}`)
}

function groundOf(
  path: string,
  spot: (place: Point) => string,
  [south, west, north, east]: readonly [number, number, number, number],
): string {
  const roads = openRoadFile(path)
  const { net } = roads
  const lines: string[] = []
  for (let edge = 0; edge < net.from.length; edge += 1) {
    const points: Point[] = []
    for (let at = net.first[edge]!; at <= net.last[edge]!; at += 1)
      points.push({ lat: net.lat[at]! / unitsPerDegree, lng: net.lng[at]! / unitsPerDegree })
    if (points.some(({ lat, lng }) => lat > south && lat < north && lng > west && lng < east))
      lines.push(`M${points.map(spot).join('L')}`)
  }
  roads.close()
  return `<path d="${lines.join('')}" fill="none" stroke="#d0d5dd" stroke-width="0.6"/>`
}
