import { basename, resolve } from 'node:path'
import type { Config } from '../server/config.ts'
import { openDatabase } from '../server/db/db.ts'
import { visitEmbedded } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import type { Found } from '../server/map/counter.ts'
import { findCurrent, type ImportRow } from '../server/map/queries.ts'
import { readCircle } from '../server/map/roads/circle.ts'
import type { MadeRoads } from '../server/map/roads/maker.ts'
import { importMap, type Place, removeMap } from '../server/map/run.ts'
import { enginePolicy } from '../server/outside/addresses.ts'
import { createOutside } from '../server/outside/fetch.ts'
import { openFiles } from '../server/outside/files/files.ts'
import { explained } from './backup.ts'
import { columns, type Noun, UsageError } from './command.ts'
import { withUrl } from './database.ts'
import { count, openBar, size, untilInterrupted } from './progress.ts'

const silent = () => {}

export const map: Noun = {
  about: 'import the map and the addresses of an area from OpenStreetMap',
  byDefault: 'show',
  verbs: {
    show: {
      does: 'Shows what is imported: its area, how old it is, what is in it.',
      run: () =>
        withPlace(async ({ databaseUrl }) => {
          const database = openDatabase({ url: databaseUrl, connections: 1, onIdleError: silent })
          try {
            const found = await findCurrent(database.everyone)
            return found
              ? describe(found)
              : 'No map is imported. "waybill map import FILE" imports an extract of OpenStreetMap (.osm.pbf).'
          } finally {
            await database.close()
          }
        }),
    },
    import: {
      does: 'Imports an extract of OpenStreetMap (.osm.pbf), and replaces the one that was imported before.',
      takes: ['FILE'],
      options: {
        name: { value: 'NAME', means: 'What it is called (default: the name of the file)' },
        'roads-around': {
          value: 'LAT,LNG,KM',
          means: 'Roads for travel times only so far around a place, as 45.75,21.23,60 (default: everywhere)',
        },
      },
      more:
        'Extracts of cities, counties and countries: https://download.geofabrik.de, https://extract.bbbike.org.\n' +
        'Nothing changes until all of it is imported; whatever stops it leaves what was there. Running servers use it at once.\n' +
        'It needs some twenty times the size of FILE on the disk. An import is not part of backups: keep FILE.',
      run: ({ arguments: [file = ''], options }) => importFile(resolve(file), options['name'], options['roads-around']),
    },
    remove: {
      does: 'Removes the imported map and its addresses.',
      run: () =>
        withPlace(async (place) => {
          const removed = await removeMap(place)
          return removed ? `Removed the map "${removed.name}".` : 'No map is imported.'
        }),
    },
  },
}

/** Works beside a running server, or without one. */
const withPlace = <Result>(work: (place: Place, config: Config) => Promise<Result>): Promise<Result> =>
  withUrl(visitEmbedded, async (databaseUrl, config) => {
    await migrate(databaseUrl, silent)
    return withStore(config, (store) => work({ databaseUrl, dataFolder: resolve(config.dataFolder), store }, config))
  })

/** In a bucket, if the processes have one in common; otherwise they have the data folder. */
async function withStore<Result>({ dataFolder, s3 }: Config, work: (store: Place['store']) => Promise<Result>) {
  if (!s3) return work(undefined)
  const outside = createOutside(enginePolicy)
  try {
    return await work(openFiles(outside, dataFolder, s3))
  } finally {
    await outside.close()
  }
}

const importFile = (path: string, given: string | undefined, around: string | undefined) =>
  untilInterrupted((signal) => {
    const name = (given ?? basename(path).replace(/(-latest)?(\.osm)?(\.pbf)?$/, '')).trim()
    if (name === '' || name.length > 120) throw new UsageError('--name must be 1 to 120 characters')
    const roadsAround = around === undefined ? undefined : readCircle(around)
    if (around !== undefined && !roadsAround)
      throw new UsageError('--roads-around must be latitude, longitude and kilometres (up to 1000), as 45.75,21.23,60')
    return withPlace(async (place, { roadSpeeds }) => {
      const bar = openBar('Importing')
      try {
        const imported = await explained(path, () =>
          importMap({
            ...place,
            path,
            name,
            speedsPath: roadSpeeds,
            roadsAround,
            signal,
            onProgress: ({ does, part, found }) =>
              bar.show({ doing: `${found ? `${tellFound(found)}  ` : ''}${does}`, part }),
          }),
        )
        bar.clear()
        return `Imported in ${bar.seconds()} s; running servers use it now.\n\n${describe(imported)}`
      } finally {
        bar.clear()
      }
    })
  })

const tellFound = ({ roads, houseNumbers, buildings }: Found) =>
  `${count(roads)} roads, ${count(houseNumbers)} house numbers, ${count(buildings)} buildings`

function describe({ name, source, source_bytes, map_date, finished_at, made, files, ...row }: ImportRow): string {
  const { west, south, east, north } = row
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return columns([
    ['name', name],
    [
      'area',
      `${degrees(south, 'N', 'S')} to ${degrees(north, 'N', 'S')}, ${degrees(west, 'E', 'W')} to ${degrees(east, 'E', 'W')}`,
    ],
    ['OpenStreetMap of', map_date ? time(map_date) : 'unknown: the file does not say'],
    ['imported', `${finished_at ? time(finished_at) : ''} from ${source} (${size(source_bytes)})`],
    ...Object.entries(made).map(([part, counts]) => [part, tellLeftOut(counts) ?? tellCounts(counts)]),
    ...speedsRow(made),
    ...(bytes > 0 ? [['files', size(bytes)]] : []),
  ])
}

const tellLeftOut = ({ tooMany }: Partial<MadeRoads>) =>
  tooMany &&
  'left out, because there are too many, so travel times are estimates: import again with --roads-around LAT,LNG,KM'

/** Whose speeds are used, if they are not ours. */
function speedsRow({ roads = {} }: ImportRow['made']) {
  const { speedsFrom } = roads as Partial<MadeRoads>
  return speedsFrom === undefined ? [] : [['speeds', `from ${speedsFrom}, where it names them`]]
}

const degrees = (value: number | null, positive: string, negative: string) =>
  `${Math.abs(value ?? 0).toFixed(2)}° ${(value ?? 0) < 0 ? negative : positive}`

const time = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')}Z`

/** `houseNumbers: 7431` as "7,431 house numbers". */
const tellCounts = (counts: object) =>
  Object.entries(counts)
    .filter(([name, value]) => typeof value === 'number' && !/bytes$/i.test(name))
    .map(([name, value]) => `${count(value)} ${asWords(value === 1 ? name.replace(/s(?=[A-Z]|$)/, '') : name)}`)
    .join(', ')

const asWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
