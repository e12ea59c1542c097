import { remember } from '../../../core/remember.ts'
import { type Language, languages } from '../../../core/words/languages.ts'
import type { Say } from './words.ts'

const formatsOf = remember((language: Language, timeZone: string) => {
  const { locale } = languages[language]
  return {
    clock: new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    calendar: new Intl.DateTimeFormat(locale, { timeZone, weekday: 'long', day: 'numeric', month: 'long' }),
    date: new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  }
})

/** Times as people say them, in the zone of the organisation. */
export function timesIn(language: Language, timeZone: string, say: Say, now: Date) {
  const { clock, calendar, date } = formatsOf(language, timeZone)
  const dayNumber = (time: Date) => Date.parse(date.format(time)) / 86_400_000
  const near = new Map([
    [-1, say('yesterday')],
    [0, say('today')],
    [1, say('tomorrow')],
  ])
  const timeOf = (time: Date) => clock.format(time)
  /** As it is written within a sentence. */
  const dayWithin = (time: Date) => near.get(dayNumber(time) - dayNumber(now)) ?? calendar.format(time)
  const dayOf = (time: Date) => capitalise(dayWithin(time))
  /** A range of a window or an arrival; on two days, each end says its own. */
  function rangeWithin(from: Date | null, to: Date | null, firstDay = dayWithin): string {
    if (from && to) {
      if (dayNumber(from) === dayNumber(to)) return [...new Set([timeOf(from), timeOf(to)])].join('–')
      return `${firstDay(from)} ${timeOf(from)} – ${dayWithin(to)} ${timeOf(to)}`
    }
    if (from) return say('after', { time: timeOf(from) })
    return to ? say('before', { time: timeOf(to) }) : ''
  }
  const rangeOf = (from: Date | null, to: Date | null) => rangeWithin(from, to, dayOf)
  return { timeOf, dayOf, dayWithin, rangeOf, rangeWithin }
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
