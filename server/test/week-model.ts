/*
 * A courier firm as plainly as it can be said: parcels that are tried, fail, are tried again or go back, and money that is
 * in somebody's bag until a day is closed. It knows nothing of requests, phones and tables. Amounts are hundredths, days are numbers.
 */

export const [Unassigned, Assigned, InTransit, Succeeded, Failed] = [1, 6, 7, 9, 10] as const
export type StatusId = 1 | 6 | 7 | 9 | 10
export type Method = 'cash' | 'card'

/** One try of a parcel, or its way back. */
export interface Parcel {
  awb: string
  /** The name of the first try. */
  root: string
  id: number
  statusId: StatusId
  driver: number | null
  /** What it is to bring, and what of that is left; null if nothing. */
  price: number | null
  left: number | null
  attempt: number
  attemptOf: Parcel | null
  reattemptedAs: Parcel | null
  returnOf: Parcel | null
  returnedAs: Parcel | null
  reason: string | null
  endedOn: number | null
}

/** What a driver collected and handed in on one day. */
export interface Bag {
  cash: number
  card: number
  /** The part of the cash that came after its own day was closed. */
  earlier: number
  handedIn: number
  closed: boolean
}

export interface Figures {
  tasks: number
  unassigned: number
  assigned: number
  inTransit: number
  succeeded: number
  failed: number
  firstTries: number
  firstTriesSucceeded: number
  collected: number
  toCollect: number
  unpaid: number
  lost: number
}

export type Model = ReturnType<typeof createModel>

export function createModel(mostAttempts: number) {
  const parcels: Parcel[] = []
  const bags = new Map<string, Bag>()
  const payments: { awb: string; driver: number; day: number; method: Method; amount: number }[] = []

  function add(given: Pick<Parcel, 'awb'> & Partial<Parcel>): Parcel {
    const price = given.price ?? null
    const nothing = { attemptOf: null, reattemptedAs: null, returnOf: null, returnedAs: null, reason: null }
    const parcel: Parcel = {
      root: given.awb,
      id: 0,
      statusId: (given.driver ?? null) === null ? Unassigned : Assigned,
      driver: null,
      left: price,
      attempt: 1,
      endedOn: null,
      ...nothing,
      ...given,
      price,
    }
    parcels.push(parcel)
    return parcel
  }

  const bagOf = (driver: number, day: number): Bag => {
    const name = `${driver} ${day}`
    const bag = bags.get(name) ?? { cash: 0, card: 0, earlier: 0, handedIn: 0, closed: false }
    bags.set(name, bag)
    return bag
  }
  const isFollowed = ({ reattemptedAs, returnedAs }: Parcel) => reattemptedAs !== null || returnedAs !== null
  /** What is left is the price of the next try, if there is one. */
  const leftOf = ({ left, reattemptedAs }: Parcel) => (reattemptedAs ? 0 : (left ?? 0))
  const isLastTry = ({ attempt, returnOf }: Parcel) => returnOf === null && attempt >= mostAttempts

  const model = {
    parcels,
    payments,
    bags,
    add,
    bagOf,
    isFollowed,
    give(parcel: Parcel, driver: number) {
      Object.assign(parcel, { driver, statusId: Assigned })
    },

    end(parcel: Parcel, isDone: boolean, reason: string | null, day: number) {
      Object.assign(parcel, { statusId: isDone ? Succeeded : Failed, reason: isDone ? null : reason, endedOn: day })
    },

    /** When it ended and what was paid stay. */
    correct(parcel: Parcel, isDone: boolean, reason: string) {
      Object.assign(parcel, { statusId: isDone ? Succeeded : Failed, reason: isDone ? null : reason })
    },

    /** Into the bag of the day it was taken on, or of the next one that is not closed when we hear of it. */
    pay(parcel: Parcel, driver: number, method: Method, amount: number, takenOn: number) {
      parcel.left = Math.max(0, (parcel.left ?? 0) - amount)
      payments.push({ awb: parcel.awb, driver, day: takenOn, method, amount })
      let day = takenOn
      while (bagOf(driver, day).closed) day += 1
      const bag = bagOf(driver, day)
      bag[method] += amount
      if (method === 'cash' && day !== takenOn) bag.earlier += amount
    },

    whyNoReattempt(parcel: Parcel): string | undefined {
      if (parcel.reattemptedAs) return 'TASK_REATTEMPTED'
      if (parcel.returnedAs) return 'TASK_RETURNED'
      if (parcel.statusId !== Failed) return 'TASK_NOT_FAILED'
      return isLastTry(parcel) ? 'ATTEMPTS_EXHAUSTED' : undefined
    },

    /** A new parcel that collects what is left. */
    reattempt(parcel: Parcel, driver: number | null): Parcel {
      const attempt = parcel.attempt + 1
      const { root, returnOf, left, price } = parcel
      const next = add({
        awb: `${root}-${attempt}`,
        root,
        attempt,
        attemptOf: parcel,
        returnOf,
        driver,
        price: price === null ? null : left,
      })
      parcel.reattemptedAs = next
      return next
    },

    whyNoReturn(parcel: Parcel): string | undefined {
      if (parcel.reattemptedAs) return 'TASK_REATTEMPTED'
      if (parcel.returnedAs) return 'TASK_RETURNED'
      if (parcel.statusId !== Failed) return 'TASK_NOT_FAILED'
      return parcel.returnOf ? 'NOTHING_TO_RETURN' : undefined
    },

    /** With the driver who has it. */
    bringBack(parcel: Parcel): Parcel {
      const awb = `${parcel.root}-R`
      const back = add({ awb, returnOf: parcel, driver: parcel.driver })
      parcel.returnedAs = back
      return back
    },

    /** Those whose last try has failed go back by themselves. */
    bringBackByItself: () =>
      parcels
        .filter((parcel) => parcel.statusId === Failed && !parcel.returnOf && isLastTry(parcel) && !isFollowed(parcel))
        .map((parcel) => model.bringBack(parcel)),

    /** What a driver was to bring on a day, and what became of it: of all that ended on it, and of what is still open. */
    dueOf(driver: number, isOfDay: (parcel: Parcel) => boolean) {
      const own = parcels.filter((parcel) => parcel.driver === driver && isOfDay(parcel))
      const { collected, toCollect, unpaid, lost } = model.figuresOf(own)
      return { toCollect: collected + toCollect + unpaid + lost, unpaid, lost }
    },

    /** What reports say of some parcels. A way back is no try to deliver. */
    figuresOf(chosen: readonly Parcel[]): Figures {
      const count = (fits: (parcel: Parcel) => boolean) => chosen.filter(fits).length
      const left = (fits: (parcel: Parcel) => boolean) =>
        chosen.filter(fits).reduce((sum, parcel) => sum + leftOf(parcel), 0)
      const isFirst = ({ attempt, returnOf }: Parcel) => attempt === 1 && !returnOf
      return {
        tasks: chosen.length,
        unassigned: count(({ statusId }) => statusId === Unassigned),
        assigned: count(({ statusId }) => statusId === Assigned),
        inTransit: count(({ statusId }) => statusId === InTransit),
        succeeded: count(({ statusId }) => statusId === Succeeded),
        failed: count(({ statusId }) => statusId === Failed),
        firstTries: count((parcel) => isFirst(parcel) && parcel.statusId >= Succeeded),
        firstTriesSucceeded: count((parcel) => isFirst(parcel) && parcel.statusId === Succeeded),
        collected: chosen.reduce((sum, { price, left }) => sum + (price ?? 0) - (left ?? 0), 0),
        toCollect: left(({ statusId }) => statusId < Succeeded),
        unpaid: left(({ statusId }) => statusId === Succeeded),
        lost: left(({ statusId }) => statusId === Failed),
      }
    },
  }
  return model
}
