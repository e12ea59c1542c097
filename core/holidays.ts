import { addDays } from './day-range.ts'

/*
 * Public holidays by rule. Only of countries whose law we have read and whose days can be computed for ever; others keep
 * their own list (docs/decisions/0067).
 */

export interface Holiday {
  day: string
  name: string
}

/**
 * Easter Sunday of the Orthodox churches: by the Julian calendar, as a day of ours. By Meeus; the two calendars are 13 days
 * apart until 2099, 14 until 2199.
 */
export function orthodoxEaster(year: number): string {
  const d = (19 * (year % 19) + 15) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
  const julian = d + e + 114
  const apart = Math.floor(year / 100) - Math.floor(year / 400) - 2
  const written = `${year}-${String(Math.floor(julian / 31)).padStart(2, '0')}-${String((julian % 31) + 1).padStart(2, '0')}`
  return addDays(written, apart)
}

/** Codul muncii, art. 139. Those of January 6 and 7 are holidays since 2024. */
function holidaysOfRomania(year: number): Holiday[] {
  const easter = orthodoxEaster(year)
  const fixed: [string, string][] = [
    ['01-01', 'Anul Nou'],
    ['01-02', 'Anul Nou'],
    ...(year >= 2024
      ? ([
          ['01-06', 'Boboteaza'],
          ['01-07', 'Sfântul Ioan'],
        ] as [string, string][])
      : []),
    ['01-24', 'Ziua Unirii Principatelor Române'],
    ['05-01', 'Ziua Muncii'],
    ['06-01', 'Ziua Copilului'],
    ['08-15', 'Adormirea Maicii Domnului'],
    ['11-30', 'Sfântul Andrei'],
    ['12-01', 'Ziua Națională'],
    ['12-25', 'Crăciunul'],
    ['12-26', 'Crăciunul'],
  ]
  const moving: [number, string][] = [
    [-2, 'Vinerea Mare'],
    [0, 'Paștele'],
    [1, 'Paștele'],
    [49, 'Rusaliile'],
    [50, 'Rusaliile'],
  ]
  return [
    ...fixed.map(([day, name]) => ({ day: `${year}-${day}`, name })),
    ...moving.map(([days, name]) => ({ day: addDays(easter, days), name })),
  ]
}

const countries: Record<string, (year: number) => Holiday[]> = { RO: holidaysOfRomania }

/** The public holidays of a country in a year, in order; none where we do not know them. One day may be two of them. */
export function publicHolidays(country: string, year: number): Holiday[] {
  const byDay = Map.groupBy(countries[country]?.(year) ?? [], ({ day }) => day)
  return [...byDay]
    .map(([day, all]) => ({ day, name: [...new Set(all.map(({ name }) => name))].join(', ') }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
}
