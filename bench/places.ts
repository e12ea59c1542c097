import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { distanceMetres } from '../core/geo.ts'
import type { Db } from '../server/db/db.ts'
import { migrate } from '../server/db/migrate.ts'
import { sql } from '../server/db/sql.ts'
import type { Maker, Tags } from '../server/map/extract/elements.ts'
import { openExtract } from '../server/map/extract/extract.ts'
import { createRegisterMaker } from '../server/map/register/make/maker.ts'
import { readStreetName } from '../server/map/register/names.ts'
import { type Found, search } from '../server/map/register/search/search.ts'
import { hashOf } from '../server/map/register/spelling.ts'
import { makeGreatRegister } from './great-register.ts'
import { keepResults, open, printHeader, quantile, withServer } from './measure.ts'
import { type KnownHouse, type Spelling, spell } from './spellings.ts'

/*
 * How well addresses are found in a register: `npm run bench -- places --file=EXTRACT`. The register is made with a half of the
 * houses; the addresses are those of all of them, written as people write. `--part=tune` asks for other houses than what
 * is measured, to look at while working on the search; `--show=wrong` prints what was wrong; `--asked=N` asks for fewer.
 *
 * `npm run bench -- places --houses=N` needs no extract: it makes a register of a country with so many houses, for how long a search takes.
 */

const usualAsked = 1_200
const usualAskedOfGreat = 150
const wrongMetres = 200
const registerId = 1

type Part = 'tune' | 'unseen'

interface Judged {
  house: KnownHouse
  isInRegister: boolean
  spelling: Spelling
  found: Found | undefined
  metres: number
  isStreet: boolean
  tookMs: number
}

export async function run(args: string[]) {
  const given = (name: string) => args.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3)
  const file = given('file') ?? (args.includes('--file') ? args[args.indexOf('--file') + 1] : undefined)
  const ofCountry = Number(given('houses') ?? 0)
  if (!file && !ofCountry)
    throw new Error('Say which extract, or how many houses: npm run bench -- places --file=EXTRACT.osm.pbf|--houses=N')
  const part = (given('part') ?? 'unseen') as Part
  const seed = Number(given('seed') ?? 1)
  const most = Number(given('asked') ?? (ofCountry ? usualAskedOfGreat : usualAsked))
  const folder = await mkdtemp(join(os.tmpdir(), 'waybill-bench-map-'))
  try {
    await withServer(async ({ url }) => {
      printHeader('Addresses found', 1)
      const role = await migrate(url, () => {})
      const isWhole = args.includes('--whole')
      const { asked, known } = file
        ? await makeHalf(url, file, folder, { isWhole, part, seed, most })
        : await makeCountry(url, seed, ofCountry, most)
      const database = open(url, 1, role)
      const judged: Judged[] = []
      const clock = await clockOf(database.everyone)
      for (const house of asked)
        for (const spelling of spell(seed, house)) {
          const address = { address: spelling.text, city: spelling.city, country: 'RO' }
          const before = await clock()
          const found = await search(database.everyone, registerId, address)
          judged.push({
            house,
            isInRegister: known(house.id),
            spelling,
            found,
            ...judge(house, found),
            tookMs: (await clock()) - before,
          })
        }
      await database.close()
      print(judged, given('show'))
      if (args.includes('--keep'))
        await keepResults('places', { [nameOf(ofCountry, isWhole, part)]: summarise(judged) })
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const nameOf = (houses: number, isWhole: boolean, part: Part) =>
  houses ? `a made country of ${houses} houses` : isWhole ? `${part}, all houses known` : part

/** Nothing is hidden in a made one: it is about time. */
async function makeCountry(url: string, seed: number, houses: number, most: number) {
  const begun = performance.now()
  const made = await makeGreatRegister(url, registerId, seed, houses, most)
  console.log(`made in ${seconds(performance.now() - begun)}:`, made.counts)
  return { asked: made.houses, known: () => true }
}

// ---- The register, and what it does not know ----

const isHidden = (seed: number, id: string) => ((hashOf(`${seed} hidden ${id}`) >>> 11) & 1) === 1
const isForTuning = (seed: number, id: string) => ((hashOf(`${seed} tuning ${id}`) >>> 15) & 1) === 1

async function makeHalf(
  url: string,
  file: string,
  folder: string,
  { isWhole, part, seed, most }: { isWhole: boolean; part: Part; seed: number; most: number },
) {
  const { houses, known } = await makeRegister(url, file, folder, (id) => !isWhole && isHidden(seed, id))
  return { asked: pickHouses(houses, part, seed, most), known }
}

async function makeRegister(url: string, file: string, folder: string, isLeftOut: (id: string) => boolean) {
  const houses: KnownHouse[] = []
  const otherNames = new Map<string, string>()
  const maker = createRegisterMaker(url, registerId)
  /** Without its number, if it is one that the register may not know. */
  const seen = (id: string, tags: Tags, point: () => { lat: number; lng: number }): Tags => {
    if (tags['highway'] && tags['name'] && tags['old_name']) otherNames.set(tags['name'], tags['old_name'])
    const [street, number] = [tags['addr:street'], tags['addr:housenumber']]
    if (!number || tags['addr:interpolation']) return tags
    if (street && /^\d+ ?[a-z]?$/i.test(number))
      houses.push({
        id,
        street,
        number,
        city: tags['addr:city'] ?? null,
        postalCode: tags['addr:postcode'] ?? null,
        otherName: null,
        ...point(),
      })
    if (!isLeftOut(id)) return tags
    const { 'addr:housenumber': _, ...rest } = tags
    return rest
  }
  const half: Maker<unknown> = {
    node: (node) =>
      maker.node?.({ ...node, tags: seen(`n${node.id}`, node.tags, () => ({ lat: node.lat, lng: node.lng })) }),
    way: (way) => maker.way?.({ ...way, tags: seen(`w${way.id}`, way.tags, () => middleOf(way.points)) }),
    area: (area) =>
      maker.area?.({
        ...area,
        tags: seen(`r${area.id}`, area.tags, () => middleOf(area.polygons[0]?.outer ?? new Float64Array(2))),
      }),
    relation: (relation) => maker.relation?.(relation),
    finish: () => maker.finish(),
    dispose: () => maker.dispose(),
  }
  const extract = await openExtract(file)
  try {
    await mkdir(join(folder, 'scratch'), { recursive: true })
    const begun = performance.now()
    await extract.read([half], { folder: join(folder, 'scratch') })
    const read = performance.now()
    const counts = await half.finish()
    console.log(`read in ${seconds(read - begun)}, sorted in ${seconds(performance.now() - read)}:`, counts)
  } finally {
    await half.dispose()
    await extract.close()
  }
  const named = houses.map((house) => ({ ...house, otherName: otherNames.get(house.street)?.split(';')[0] ?? null }))
  return { houses: named, known: (id: string) => !isLeftOut(id) }
}

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`

function middleOf(points: Float64Array) {
  const lngs = points.filter((_, index) => index % 2 === 0)
  const lats = points.filter((_, index) => index % 2 === 1)
  return { lat: (Math.min(...lats) + Math.max(...lats)) / 2, lng: (Math.min(...lngs) + Math.max(...lngs)) / 2 }
}

/** Of those for this part, the same for the same seed. A number that two houses of a street have is not one place. */
function pickHouses(houses: readonly KnownHouse[], part: Part, seed: number, most: number): KnownHouse[] {
  const keyOf = ({ street, number, city }: KnownHouse) => `${street} ${number.replace(/ /g, '').toLowerCase()} ${city}`
  const same = Map.groupBy(houses, keyOf)
  const isOnePlace = (house: KnownHouse) =>
    (same.get(keyOf(house)) ?? []).every((other) => distanceMetres(house, other) < 100)
  return houses
    .filter((house) => isForTuning(seed, house.id) === (part === 'tune') && isOnePlace(house))
    .toSorted((a, b) => hashOf(`${seed} ${a.id}`) - hashOf(`${seed} ${b.id}`))
    .slice(0, most)
}

// ---- Judging ----

const wordsOf = (street: string) => readStreetName(street).words.toSorted().join(' ')

function judge(house: KnownHouse, found: Found | undefined) {
  const metres = found ? distanceMetres(house, found) : Number.POSITIVE_INFINITY
  const isStreet = !!found?.parts.streetName && wordsOf(found.parts.streetName) === wordsOf(house.street)
  return { metres, isStreet }
}

const isExact = (found: Found | undefined) => found?.detail === 'house' || found?.detail === 'interpolated'

function summarise(judged: readonly Judged[]) {
  const numbered = judged.filter(({ spelling }) => spelling.hasNumber)
  const share = (all: readonly Judged[], is: (one: Judged) => boolean) =>
    all.length > 0 ? all.filter(is).length / all.length : 0
  const of = (all: readonly Judged[]) => {
    const withNumber = all.filter(({ spelling }) => spelling.hasNumber)
    const near = all
      .filter(({ found, metres }) => isExact(found) && Number.isFinite(metres))
      .map(({ metres }) => metres)
    const took = all.map(({ tookMs }) => tookMs)
    return {
      asked: all.length,
      p50Ms: took.length > 0 ? quantile(took, 0.5) : null,
      p99Ms: took.length > 0 ? quantile(took, 0.99) : null,
      houseOrInterpolated: share(withNumber, ({ found, metres }) => isExact(found) && metres <= wrongMetres),
      house: share(withNumber, ({ found, metres }) => found?.detail === 'house' && metres <= wrongMetres),
      street: share(all, ({ isStreet }) => isStreet),
      wrong: share(all, ({ found, metres }) => isExact(found) && metres > wrongMetres),
      medianMetres: near.length > 0 ? quantile(near, 0.5) : null,
      p95Metres: near.length > 0 ? quantile(near, 0.95) : null,
    }
  }
  const took = judged.map(({ tookMs }) => tookMs)
  return {
    all: of(judged),
    inRegister: of(numbered.filter(({ isInRegister }) => isInRegister)),
    notInRegister: of(numbered.filter(({ isInRegister }) => !isInRegister)),
    byKind: Object.fromEntries(
      [...Map.groupBy(judged, ({ spelling }) => spelling.kind)].map(([kind, all]) => [kind, of(all)]),
    ),
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    houses: new Set(judged.map(({ house }) => house.id)).size,
  }
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(7)

function print(judged: readonly Judged[], show: string | undefined) {
  const { byKind, p50Ms, p99Ms, houses, ...groups } = summarise(judged)
  for (const [name, one] of Object.entries({ ...byKind, ...groups }))
    console.log(
      `${name.padEnd(24)} ${String(one.asked).padStart(6)}  house or interpolated ${percent(one.houseOrInterpolated)}  street ${percent(one.street)}  wrong ${percent(one.wrong)}  median ${one.medianMetres?.toFixed(0)} m, p95 ${one.p95Metres?.toFixed(0)} m  p99 ${one.p99Ms?.toFixed(1)} ms`,
    )
  console.log(`${houses} houses; processor time p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`)
  if (!show) return
  const isShown = ({ found, metres, isStreet, spelling }: Judged) =>
    show === 'wrong'
      ? isExact(found) && metres > wrongMetres
      : show === 'street'
        ? !isStreet
        : spelling.hasNumber && !isExact(found)
  for (const { spelling, house, found, metres, isInRegister } of judged.filter(isShown).slice(0, 150))
    console.log(
      `${spelling.kind} · ${spelling.text}${spelling.city ? ` @ ${spelling.city}` : ''} → ${found?.detail} ${Object.values(found?.parts ?? {}).join('|')} ${metres.toFixed(0)} m (${house.street} ${house.number}, ${house.city}, ${isInRegister ? 'known' : 'hidden'})`,
    )
}

/** Processor time of this process and of the database's, in milliseconds, where the system tells (Linux). */
async function clockOf(db: Db) {
  const { pid } = await db.get<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  const ofDatabase = async () => {
    const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0')
    return Number(text.split(' ')[0]) / 1e6
  }
  return async () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000 + (await ofDatabase())
  }
}
