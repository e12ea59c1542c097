import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import type { Point } from '../core/geo.ts'
import type { Router } from '../server/map/roads/router.ts'
import { median, quantile } from './measure.ts'

/*
 * Our roads beside those of Valhalla, of the same extract: `npm run bench -- roads --file EXTRACT.osm.pbf --beside valhalla --valhalla
 * FOLDER`. The package is no dependency of ours: it is installed in that folder, outside the project (docs/travel-times.md), and its tiles
 * are made there once for each extract.
 */

interface Trip {
  time: number | null
  distance: number | null
}
interface Actor {
  matrix(query: object): Promise<{ sources_to_targets: Trip[][] }>
  locate(query: object): Promise<{ edges: { edge_info?: { names?: string[] } }[] | null }[]>
}
interface Valhalla {
  Actor: new (config: object) => Actor
  getConfig(options: object): Promise<object>
  VALHALLA_VERSION: string
}

const placeCount = 150
/** Its default limit is 2,500 trips in one request. */
const side = 50
const mostTold = 12

export async function compareWithValhalla(
  router: Router,
  extract: string,
  folder: string,
  pick: (count: number) => Point[],
) {
  const { Actor, getConfig, VALHALLA_VERSION } = await open(folder)
  const tileDir = resolve(folder, `tiles-${basename(extract)}`)
  const config = await getConfig({ tileDir, tileExtract: `${tileDir}.tar` })
  if (!existsSync(tileDir)) makeTiles(folder, config, extract)
  const actor = new Actor(config)
  const { places, names } = await withNames(actor, pick(placeCount * 4))
  const [ours, theirs] = [router.table('car', places), await askTable(actor, places)]
  const told = tellDifference(places, names, ours, theirs)
  console.log(`Beside Valhalla ${VALHALLA_VERSION}, by car:`)
  console.table(told.summary)
  for (const line of told.reach) console.log(line)
  console.log('Farthest from each other:')
  console.table(told.outliers)
  return { version: VALHALLA_VERSION, ...told.summary }
}

/** Loaded from the folder, so that we neither install nor name it. */
async function open(folder: string): Promise<Valhalla> {
  try {
    return createRequire(join(resolve(folder), 'package.json'))('@valhallajs/valhallajs')
  } catch (error) {
    throw new Error(`There is no Valhalla in ${folder}: npm install --prefix ${folder} @valhallajs/valhallajs`, {
      cause: error,
    })
  }
}

function makeTiles(folder: string, config: object, extract: string) {
  const cli = join(resolve(folder), 'node_modules/@valhallajs/valhallajs/bin/valhalla-cli.js')
  const given = ['build_tiles', '-i', JSON.stringify(config), resolve(extract)]
  execFileSync(process.execPath, [cli, ...given], { stdio: 'ignore' })
}

async function askTable(actor: Actor, places: readonly Point[]): Promise<Trip[][]> {
  const table: Trip[][] = places.map(() => [])
  const locations = places.map(({ lat, lng }) => ({ lat, lon: lng }))
  for (let from = 0; from < places.length; from += side)
    for (let to = 0; to < places.length; to += side) {
      const [sources, targets] = [locations.slice(from, from + side), locations.slice(to, to + side)]
      const answer = await actor.matrix({ sources, targets, costing: 'auto', units: 'kilometers' })
      for (const [row, trips] of answer.sources_to_targets.entries())
        for (const [column, trip] of trips.entries()) (table[from + row] as Trip[])[to + column] = trip
    }
  return table
}

/** Those on streets with a name, where addresses are: of fields and car parks the two think too differently to say anything of streets. */
async function withNames(actor: Actor, candidates: readonly Point[]) {
  const [places, names]: [Point[], string[]] = [[], []]
  for (const place of candidates) {
    const { lat, lng } = place
    const [found] = await actor.locate({ locations: [{ lat, lon: lng }], costing: 'auto', verbose: true })
    const name = found?.edges?.flatMap(({ edge_info }) => edge_info?.names ?? [])[0]
    if (!name || places.length === placeCount) continue
    places.push(place)
    names.push(`${name} (${lat.toFixed(4)}, ${lng.toFixed(4)})`)
  }
  return { places, names }
}

type Table = ReturnType<Router['table']>

function tellDifference(places: readonly Point[], names: readonly string[], ours: Table, theirs: readonly Trip[][]) {
  const size = places.length
  const reach: string[] = []
  const trips: { from: number; to: number; time: number; length: number; words: string }[] = []
  const onlyOne = { ours: 0, theirs: 0 }
  for (let from = 0; from < size; from += 1)
    for (let to = 0; to < size; to += 1) {
      if (from === to) continue
      const [seconds, metres] = [ours.seconds[from * size + to] as number, ours.metres[from * size + to] as number]
      const { time, distance } = theirs[from]![to]!
      const isTheirs = time !== null && distance !== null
      if (seconds >= 0 !== isTheirs) {
        onlyOne[isTheirs ? 'theirs' : 'ours'] += 1
        reach.push(`only ${isTheirs ? 'Valhalla' : 'Waybill'} gets from ${names[from]} to ${names[to]}`)
      } else if (isTheirs && time > 0 && distance > 0) {
        const words = `${minutes(seconds)} and ${(metres / 1_000).toFixed(1)} km; Valhalla ${minutes(time)} and ${distance.toFixed(1)} km`
        trips.push({ from, to, time: seconds / time, length: metres / 1_000 / distance, words })
      }
    }
  const share = (value: number) => `${(100 * (value - 1)).toFixed(1)} %`
  const of = (what: 'time' | 'length') => {
    const ratios = trips.map((trip) => trip[what])
    return {
      middle: share(median(ratios)),
      'middle, either way': `${(100 * median(ratios.map((ratio) => Math.abs(ratio - 1)))).toFixed(1)} %`,
      'one in ten less than': share(quantile(ratios, 0.1)),
      'one in ten more than': share(quantile(ratios, 0.9)),
    }
  }
  const farthest = trips.toSorted((one, other) => Math.abs(Math.log(other.time)) - Math.abs(Math.log(one.time)))
  return {
    summary: {
      pairs: size * (size - 1),
      onlyOurs: onlyOne.ours,
      onlyTheirs: onlyOne.theirs,
      time: of('time'),
      length: of('length'),
    },
    reach: reach.slice(0, mostTold),
    // One for each place where something differs, not each of the hundred trips that lead there.
    outliers: farthest
      .filter((one, at) => !farthest.slice(0, at).some((other) => other.from === one.from || other.to === one.to))
      .slice(0, mostTold)
      .map(({ from, to, words }) => ({ from: names[from], to: names[to], words })),
  }
}

const minutes = (seconds: number) => `${(seconds / 60).toFixed(1)} min`
