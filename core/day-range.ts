/** Days from the first to the last, both included, as YYYY-MM-DD. */
export interface DayRange {
  from: string
  to: string
}

const dateOf = (day: string) => new Date(`${day}T12:00:00Z`)
const written = (date: Date) => date.toISOString().slice(0, 10)

export function addDays(day: string, days: number): string {
  const date = dateOf(day)
  date.setUTCDate(date.getUTCDate() + days)
  return written(date)
}

/** The Monday of the week of a day. */
const startOfWeek = (day: string) => addDays(day, -((dateOf(day).getUTCDay() + 6) % 7))

/** The first day of the month so many months before or after that of a day. */
function startOfMonth(day: string, months = 0): string {
  const date = dateOf(day)
  date.setUTCMonth(date.getUTCMonth() + months, 1)
  return written(date)
}

/** The whole month so many months before or after that of a day. */
export const monthOf = (day: string, months = 0): DayRange => ({
  from: startOfMonth(day, months),
  to: addDays(startOfMonth(day, months + 1), -1),
})

export const daysIn = ({ from, to }: DayRange): number =>
  Math.round((dateOf(to).getTime() - dateOf(from).getTime()) / 86_400_000) + 1

/** The ranges people ask for. */
export const rangeNames = ['today', 'yesterday', 'thisWeek', 'lastWeek', 'last7Days', 'thisMonth', 'lastMonth'] as const
export type RangeName = (typeof rangeNames)[number]

export function rangeOf(name: RangeName, today: string): DayRange {
  switch (name) {
    case 'today':
      return { from: today, to: today }
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) }
    case 'thisWeek':
      return { from: startOfWeek(today), to: today }
    case 'lastWeek':
      return { from: addDays(startOfWeek(today), -7), to: addDays(startOfWeek(today), -1) }
    case 'last7Days':
      return { from: addDays(today, -6), to: today }
    case 'thisMonth':
      return { from: startOfMonth(today), to: today }
    case 'lastMonth':
      return { from: startOfMonth(today, -1), to: addDays(startOfMonth(today), -1) }
  }
}

/** What a range is called, if it has a name. */
export const nameOfRange = ({ from, to }: DayRange, today: string): RangeName | undefined =>
  rangeNames.find((name) => {
    const range = rangeOf(name, today)
    return range.from === from && range.to === to
  })
