/** Formats times, amounts and distances for a time zone, a currency and a language. */
export function makeFormats(language: string, timeZone: string, currency: string) {
  const time = new Intl.DateTimeFormat(language, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const date = new Intl.DateTimeFormat(language, { timeZone, day: 'numeric', month: 'short' })
  const day = new Intl.DateTimeFormat(language, { timeZone: 'UTC', day: 'numeric', month: 'short' })
  const dayOfWeek = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  })
  const dateTime = new Intl.DateTimeFormat(language, {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  })
  const money = new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 0 })
  const at = (moment: string | number | Date) => new Date(moment)
  return {
    timeZone,
    currency,
    time: (moment: string | number | Date) => time.format(at(moment)),
    date: (moment: string | number | Date) => date.format(at(moment)),
    /** A date given as YYYY-MM-DD: `Nov 15`, or `Sat, Nov 15`. */
    dayInWords: (date: string, withWeekday = false) => (withWeekday ? dayOfWeek : day).format(at(date)),
    dateTime: (moment: string | number | Date) => dateTime.format(at(moment)),
    money: (amount: number) => money.format(amount),
    number: (value: number) => new Intl.NumberFormat(language).format(value),
    decimal: (value: number) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value),
    /** `14:00–16:00`, `→ 16:00`, `14:00 →`, or nothing. */
    window(after: string | null, before: string | null) {
      if (after && before) return `${time.format(at(after))}–${time.format(at(before))}`
      if (before) return `→ ${time.format(at(before))}`
      return after ? `${time.format(at(after))} →` : ''
    },
    /** `12 min`, `1 h 05`. */
    duration(seconds: number) {
      const minutes = Math.round(seconds / 60)
      return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`
    },
    distance: (metres: number) =>
      metres < 950 ? `${Math.round(metres / 10) * 10} m` : `${(metres / 1000).toFixed(metres < 9_950 ? 1 : 0)} km`,
  }
}
export type Formats = ReturnType<typeof makeFormats>
