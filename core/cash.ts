import { subtractAmount, sumAmounts } from './money.ts'

/*
 * A driver's cash of a day: what they collected in cash is to be handed in. Until the day is closed the rest is still in
 * their bag; from then on it is a difference.
 */

/** The kinds of lines. A payment adds to what is to be handed in, the others to what was. */
export const cashKinds = ['payment', 'handIn', 'closeOut', 'correction'] as const
export type CashKind = (typeof cashKinds)[number]

interface Sums {
  /** Collected in cash. */
  cash: number
  /** Handed in, with what was counted when the day was closed, and corrections of that. */
  handedIn: number
}

/** Still in the bag; below 0 if more was handed in than collected. */
export const toHandInOf = ({ cash, handedIn }: Sums): number => subtractAmount(cash, handedIn)

/** What the office has too much, or below 0 too little, if this is counted last. */
export const differenceOf = ({ cash, handedIn }: Sums, counted = 0): number =>
  subtractAmount(sumAmounts([handedIn, counted]), cash)

/** Whether closing a day with this needs a note that says why. */
export const needsReason = (sums: Sums, counted: number): boolean => differenceOf(sums, counted) !== 0
