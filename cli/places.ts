import { resolve } from 'node:path'
import { openDatabase } from '../server/db/db.ts'
import { visitEmbedded } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import { readColumns, WrongColumns } from '../server/map/register/own/columns.ts'
import { type ImportedPlaces, importPlaces, removePlaces } from '../server/map/register/own/import.ts'
import { findOwn } from '../server/map/register/queries.ts'
import { type Noun, UsageError } from './command.ts'
import { withUrl } from './database.ts'
import { count, openBar, untilInterrupted } from './progress.ts'

const silent = () => {}

const tellPlaces = (number: number) => (number === 1 ? '1 place' : `${count(number)} places`)

export const places: Noun = {
  about: 'import addresses with coordinates: OpenAddresses, or a table of your own',
  verbs: {
    show: {
      does: 'Shows how many places were imported, and when.',
      run: () =>
        withOwner(async (url) => {
          const database = openDatabase({ url, connections: 1, onIdleError: silent })
          try {
            const own = await findOwn(database.everyone)
            if (!own) return 'No places are imported. "waybill places import FILE" imports a table with coordinates.'
            return `${tellPlaces(own.places)}, imported ${own.imported_at.toISOString().slice(0, 16).replace('T', ' ')}Z.`
          } finally {
            await database.close()
          }
        }),
    },
    import: {
      does: 'Adds the places of a file (CSV, or GeoJSON lines as OpenAddresses has them, also packed as .gz), and updates those that are known.',
      takes: ['FILE'],
      options: {
        columns: { value: 'FIELD=NAME,…', means: 'What the columns of a CSV are called, where it is not guessed' },
      },
      more:
        'Fields: street, number, city, area, postalCode, country, lat, lng. For example: --columns street=Strada,number=Nr\n' +
        'A file may come again and again: no place is there twice. Imported maps do not touch them. They are not part of backups: keep FILE.',
      run: ({ arguments: [file = ''], options }) => importFile(resolve(file), options['columns']),
    },
    remove: {
      does: 'Removes all places that were imported from files.',
      run: () =>
        withOwner(async (url) => {
          const removed = await removePlaces(url)
          return removed === undefined ? 'No places are imported.' : `Removed ${tellPlaces(removed)}.`
        }),
    },
  },
}

const withOwner = <Result>(work: (url: string) => Promise<Result>): Promise<Result> =>
  withUrl(visitEmbedded, async (url) => {
    await migrate(url, silent)
    return work(url)
  })

const importFile = (path: string, columns: string | undefined) =>
  untilInterrupted((signal) =>
    withOwner(async (databaseUrl) => {
      const bar = openBar('Importing')
      try {
        const onProgress = ({ does, part, rows }: { does: string; part: number; rows: number }) =>
          bar.show({ doing: does, part, rows })
        const imported = await importPlaces({ databaseUrl, path, columns: readColumns(columns), signal, onProgress })
        bar.clear()
        return describe(imported, bar.seconds())
      } catch (error) {
        if (error instanceof WrongColumns) throw new UsageError(error.message)
        signal.throwIfAborted()
        throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new UsageError(`There is no file ${path}`) : error
      } finally {
        bar.clear()
      }
    }),
  )

function describe({ read, added, places, streets, broken, brokenLines }: ImportedPlaces, seconds: string): string {
  const left = brokenLines.map(({ line, problem }) => `  line ${line}: ${problem}`)
  const more = broken - brokenLines.length
  return [
    `Read ${tellPlaces(read)} in ${seconds} s, ${count(added)} of them new. There are ${count(places)} now, on ${streets === 1 ? '1 street' : `${count(streets)} streets`}; running servers use them at once.`,
    ...(broken > 0 ? [`${broken === 1 ? '1 row was' : `${count(broken)} rows were`} left out:`, ...left] : []),
    ...(more > 0 ? [`  and ${count(more)} more`] : []),
  ].join('\n')
}
