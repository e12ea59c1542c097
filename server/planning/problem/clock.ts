/** Planning counts in seconds from now; days begin and end in the organisation's time zone. */
export interface Clock {
  now: Date
  timezone: string
}

export const secondsFrom = ({ now }: Clock, time: number) => Math.round((time - now.getTime()) / 1000)

/** Longer than any plan; the optimiser needs a number. */
export const never = 1e10
