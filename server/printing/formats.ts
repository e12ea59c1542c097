import { remember } from '../../core/remember.ts'
import { type Language, languages } from '../../core/words/languages.ts'
import { formatsOf as formatsOfProof } from '../proof/formats.ts'
import type { Say } from './words.ts'

/** How labels and run sheets write times and money: short, they are read while walking. */
export const formatsOf = remember((language: Language, timeZone: string, currency: string) => {
  const { locale } = languages[language]
  const time = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short', hourCycle: 'h23' })
  const dateTime = new Intl.DateTimeFormat(locale, {
    timeZone,
    day: '2-digit',
    month: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const day = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'full' })
  const { money, dateTime: fullTime } = formatsOfProof(language, timeZone, currency)
  return {
    money,
    fullTime,
    time: (moment: Date | string) => time.format(new Date(moment)),
    /** YYYY-MM-DD in words. */
    day: (date: string) => day.format(new Date(`${date}T00:00:00Z`)),
    window: (from: Date | null, to: Date | null, say: Say) => windowOf(from, to, dateTime, say),
    /** Without the day, which stands elsewhere. */
    hours: (from: Date | null, to: Date | null, say: Say) => windowOf(from, to, time, say),
  }
})

export type Formats = ReturnType<typeof formatsOf>

function windowOf(from: Date | null, to: Date | null, format: Intl.DateTimeFormat, say: Say): string {
  if (from && to) return format.formatRange(from, to)
  if (from) return say('startingAt', { time: format.format(from) })
  return to ? say('until', { time: format.format(to) }) : ''
}
