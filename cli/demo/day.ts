import { endOfDay } from '../../core/time.ts'
import { between, pick, type Random } from './chance.ts'

/*
 * The server uses the real clock, and nothing can be done in its past. So the working day is placed around the moment
 * the demo starts: four hours of it are over, and six are still to come.
 */

const zone = 'Europe/Bucharest'
const minute = 60_000
const hour = 60 * minute

export interface Day {
  start: Date
  end: Date
  now: Date
}

export function dayAround(now: Date): Day {
  const start = new Date(Math.floor((now.getTime() - 4 * hour) / hour) * hour)
  return { start, end: new Date(start.getTime() + 10 * hour), now }
}

/** The role of a task: its state when the demo starts, or that it arrives later. */
export type Role = 'done' | 'failed' | 'open' | 'late' | 'waiting' | 'fresh'

export interface Window {
  completeAfter: string
  completeBefore: string
}

const halfHour = 30 * minute
const onTheHalf = (time: number) => Math.round(time / halfHour) * halfHour

/** When the customer wants it. */
export function windowFor(role: Role, { start, end, now }: Day, random: Random): Window {
  const [begin, finish, present] = [start.getTime(), end.getTime(), now.getTime()]
  const wholeDay = [begin, finish - hour] as const
  switch (role) {
    case 'done':
    case 'failed':
      return fit(
        onTheHalf(begin + between(random, 0, 6) * halfHour),
        onTheHalf(present + between(random, 3, 8) * halfHour),
      )
    case 'late': {
      // Half of them are over, the others will be in a few minutes.
      const due = present + (between(random, 0, 1) === 0 ? -between(random, 4, 25) : between(random, 3, 9)) * minute
      return fit(onTheHalf(present - 3 * hour), Math.floor(due / minute) * minute)
    }
    case 'fresh': {
      // It can be started immediately, so that drivers always have something to do, however long the demo lasts.
      const begun = Math.floor(present / halfHour) * halfHour
      return fit(begun, begun + between(random, 4, 8) * halfHour)
    }
    case 'open':
    case 'waiting': {
      const slot = onTheHalf(present + between(random, 2, 8) * halfHour)
      const running = onTheHalf(present - between(random, 1, 3) * halfHour)
      const kinds = [wholeDay, wholeDay, [running, running + 4 * hour], [slot, slot + 2 * hour]] as const
      return fit(...pick(random, kinds))
    }
  }

  /** A task after midnight would not be today's, so there are none. */
  function fit(from: number, to: number): Window {
    const lastStart = endOfDay(now, zone).getTime() - halfHour
    return {
      completeAfter: new Date(Math.min(from, Math.max(present, lastStart))).toISOString(),
      completeBefore: new Date(to).toISOString(),
    }
  }
}

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** `HH:MM` in Bucharest. */
export const timeOfDay = (time: Date) => clock.format(time)
