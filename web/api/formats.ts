import { lazy } from '../../core/lazy.ts'
import { moneyFormat, typeMoney } from '../../core/money-format.ts'
import type { Say } from '../words/shared.ts'

/** The page's language with the region of the browser, so that British readers do not get American dates. */
export const localeOf = (language: string, wanted: readonly string[]): string =>
  wanted.find((one) => one.split('-')[0] === language && isLocale(one)) ?? language

/** Some browsers wish for what is no locale, such as `en-US@posix`. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

export type Units = 'metric' | 'imperial'

const kept = new Map<string, Formats>()

/** Made once: every row of a list asks for them. */
export function formatsFor(say: Say, locale: string, timeZone: string, currency: string, units: Units): Formats {
  const key = [locale, timeZone, currency, units].join(' ')
  const known = kept.get(key)
  if (known) return known
  const made = makeFormats(say, locale, timeZone, currency, units)
  kept.set(key, made)
  return made
}

/** Making a format of Intl takes a thousand times as long as using it, so only those are made that a page needs. */
function makeFormats(say: Say, locale: string, timeZone: string, currency: string, units: Units) {
  const dates = (options: Intl.DateTimeFormatOptions) => lazy(() => new Intl.DateTimeFormat(locale, options))
  const numbers = (options: Intl.NumberFormatOptions) => lazy(() => new Intl.NumberFormat(locale, options))
  const time = dates({ timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const date = dates({ timeZone, day: 'numeric', month: 'short' })
  const day = dates({ timeZone: 'UTC', day: 'numeric', month: 'short' })
  const dayOfWeek = dates({ timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' })
  const dateTime = dates({ timeZone, dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
  const fullDay = dates({ timeZone: 'UTC', dateStyle: 'full' })
  const money = lazy(() => moneyFormat(locale, currency))
  const number = numbers({})
  const decimal = numbers({ maximumFractionDigits: 1 })
  const lengths = lengthsIn[units].map(({ unit, metres, step, most }) => {
    const format = numbers({ style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: step < 1 ? 1 : 0 })
    return { format, metres, step, most }
  })
  const at = (moment: string | number | Date) => new Date(moment)
  return {
    timeZone,
    currency,
    time: (moment: string | number | Date) => time().format(at(moment)),
    date: (moment: string | number | Date) => date().format(at(moment)),
    /** A date given as YYYY-MM-DD, with its year, for what is kept on paper. */
    dayOnPaper: (date: string) => fullDay().format(at(date)),
    /** The same in short: `Nov 15`, or `Sat, Nov 15`. */
    dayInWords: (date: string, withWeekday = false) => (withWeekday ? dayOfWeek() : day()).format(at(date)),
    dateTime: (moment: string | number | Date) => dateTime().format(at(moment)),
    money: (amount: number) => money().format(amount),
    /** An amount as it stands in a field: `120`, `89,50`. */
    typedMoney: (amount: number) => typeMoney(amount, locale),
    number: (value: number) => number().format(value),
    decimal: (value: number) => decimal().format(value),
    /** `14:00–16:00`, `until 16:00`, `from 14:00`, or nothing. */
    window(after: string | null, before: string | null) {
      if (after && before) return `${time().format(at(after))}–${time().format(at(before))}`
      if (before) return say('untilTime', { time: time().format(at(before)) })
      return after ? say('fromTime', { time: time().format(at(after)) }) : ''
    },
    /** `12 min`, `1 h 05`. */
    duration(seconds: number) {
      const minutes = Math.round(seconds / 60)
      return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`
    },
    /** `850 m`, `1.2 km`, `34 km`; or `900 ft`, `1.2 mi`. */
    distance(metres: number) {
      const { format, step, ...length } = lengths.find(({ most }) => metres < most) as (typeof lengths)[number]
      return format().format(Math.round(metres / length.metres / step) * step)
    },
  }
}

/** Small distances first; each up to `most` metres and in steps of its unit. */
const lengthsIn = {
  metric: [
    { unit: 'meter', metres: 1, step: 10, most: 950 },
    { unit: 'kilometer', metres: 1_000, step: 0.1, most: 9_950 },
    { unit: 'kilometer', metres: 1_000, step: 1, most: Number.POSITIVE_INFINITY },
  ],
  imperial: [
    { unit: 'foot', metres: 0.3048, step: 50, most: 300 },
    { unit: 'mile', metres: 1_609.344, step: 0.1, most: 16_000 },
    { unit: 'mile', metres: 1_609.344, step: 1, most: Number.POSITIVE_INFINITY },
  ],
} as const satisfies Record<Units, unknown>

export type Formats = ReturnType<typeof makeFormats>
