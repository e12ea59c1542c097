/*
 * What two organisations that share a task promise each other, as plainly as it can be said: a parcel is one thing, and
 * those who have a part in it stand in a row, from the one it belongs to, to the one who does it.
 */

export type StatusId = 1 | 6 | 7 | 9 | 10

/** Undefined: done. Several: more than one reason holds, and any of them may be told. */
export type Refused = undefined | string[]

/** The task that one organisation has of a parcel. */
export interface Part {
  party: number
  id: number
  awb: string
  notes: string[]
  priority: number
  /** By what the others know it, as far as somebody told. */
  otherAwbs: Set<string>
  /** What fired, one list for each change. */
  fired: number[][]
}

export interface Parcel {
  parts: Part[]
  statusId: StatusId
  details: string
  quantity: number
  price: number
  paid: number
  /** Of the last in the row. */
  driver: number | null
  reason: string | null
  hasArrived: boolean
}

export interface ModelParty {
  /** Whom it says to be its partner. */
  says: Set<number>
  mayModify: boolean
  mayGiveBack: boolean
}

const [CREATED, UPDATED, DELETED, ASSIGNED, UNASSIGNED] = [4, 5, 6, 7, 8]
const [START, COMPLETE, FAILED] = [1, 2, 3]

const fresh = () => ({ notes: [], priority: 0, otherAwbs: new Set<string>() })

export function createPartnersModel(count: number) {
  const parties = Array.from(
    { length: count },
    (): ModelParty => ({ says: new Set(), mayModify: true, mayGiveBack: true }),
  )
  const parcels: Parcel[] = []
  /** What somebody had and has no longer. */
  const gone: { party: number; id: number }[] = []

  const arePartners = (one: number, other: number) =>
    parties[one]?.says.has(other) === true && parties[other]?.says.has(one) === true
  const last = ({ parts }: Parcel) => parts.at(-1) as Part
  const tell = (parts: readonly Part[], ...triggers: (number | undefined)[]) => {
    for (const { fired } of parts) fired.push(triggers as number[])
  }
  /** The one who does it is told everything, the others how it goes. */
  const tellWork = (parcel: Parcel, own: (number | undefined)[], others: number | undefined) => {
    tell([last(parcel)], ...own)
    tell(parcel.parts.slice(0, -1), others)
  }
  const placeOf = (parcel: Parcel, party: number) => parcel.parts.findIndex((part) => part.party === party)
  const isOwner = (parcel: Parcel, party: number) => placeOf(parcel, party) < parcel.parts.length - 1
  /** Several reasons at once. */
  const reasons = (...given: (string | false)[]): Refused => {
    const found = given.filter((reason) => reason !== false)
    return found.length > 0 ? found : undefined
  }
  const isEnded = ({ statusId }: Parcel) => statusId >= 9 && 'TASK_ALREADY_PROCESSED'
  const drop = (parcel: Parcel, from: number) => {
    const dropped = parcel.parts.splice(from)
    tell(dropped, DELETED)
    gone.push(...dropped)
  }
  const end = (parcel: Parcel, isDone: boolean, reason: string | null) => {
    parcel.statusId = isDone ? 9 : 10
    if (!isDone) parcel.reason = reason
    const trigger = isDone ? COMPLETE : FAILED
    tellWork(parcel, [trigger], trigger)
  }

  return {
    parties,
    parcels,
    gone,
    arePartners,
    placeOf,
    last,
    partOf: (parcel: Parcel, party: number) => parcel.parts.find((part) => part.party === party),
    isTaken: (party: number, awb: string) =>
      parcels.some(({ parts }) => parts.some((part) => part.party === party && part.awb === awb)),

    agree(one: number, other: number) {
      parties[one]?.says.add(other)
    },
    endPartnership(one: number, other: number): Refused {
      const isThere = parties[one]?.says.has(other) || parties[other]?.says.has(one)
      parties[one]?.says.delete(other)
      parties[other]?.says.delete(one)
      return isThere ? undefined : ['PARTNER_NOT_FOUND']
    },

    create(party: number, made: { id: number; awb: string; price: number; details: string }) {
      const part: Part = { party, id: made.id, awb: made.awb, ...fresh(), fired: [[CREATED as number]] }
      const { price, details } = made
      parcels.push({
        parts: [part],
        statusId: 1,
        details,
        quantity: 1,
        price,
        paid: 0,
        driver: null,
        reason: null,
        hasArrived: false,
      })
    },

    judgeDelegation(parcel: Parcel, party: number, to: number): Refused {
      if (!arePartners(party, to)) return ['PARTNER_NOT_FOUND']
      const at = placeOf(parcel, party)
      return reasons(
        isOwner(parcel, party) && 'TASK_DELEGATED',
        placeOf(parcel, to) >= 0 && placeOf(parcel, to) === at - 1 && 'TASK_OF_PARTNER',
        placeOf(parcel, to) >= 0 && placeOf(parcel, to) < at - 1 && 'CHAIN_TOO_LONG',
        parcel.statusId === 6 && 'TASK_HAS_DRIVER',
        parcel.statusId === 7 && 'TASK_IN_TRANSIT',
        isEnded(parcel),
      )
    },
    delegate(parcel: Parcel, to: number, copy: { id: number; awb: string }) {
      const { notes, priority, awb, otherAwbs } = last(parcel)
      tell([last(parcel)], UPDATED)
      const known = new Set([awb, ...otherAwbs, copy.awb])
      // All know all, for the scanner; who learns of another one is told that something changed.
      for (const part of parcel.parts.slice(0, -1))
        if (!known.isSubsetOf(new Set([part.awb, ...part.otherAwbs]))) tell([part], UPDATED)
      parcel.parts.push({ party: to, ...copy, notes: [...notes], priority, otherAwbs, fired: [[CREATED as number]] })
      for (const part of parcel.parts) part.otherAwbs = known.difference(new Set([part.awb]))
    },
    undelegate(parcel: Parcel, party: number): Refused {
      const at = placeOf(parcel, party)
      if (parcel.parts.length === 1) return ['TASK_NOT_DELEGATED']
      const givesBack = at === parcel.parts.length - 1
      const ownerAt = givesBack ? at - 1 : at
      const owner = parties[parcel.parts[ownerAt]?.party as number] as ModelParty
      const refused = reasons(
        givesBack && !owner.mayGiveBack && 'FORBIDDEN_BY_SETTING',
        parcel.statusId === 7 && 'TASK_IN_TRANSIT',
        isEnded(parcel),
      )
      if (refused) return refused
      drop(parcel, ownerAt + 1)
      tell([last(parcel)], UPDATED)
      // Further up nobody knows who had it, but they see that it waits for a driver again.
      if (parcel.statusId === 6) tell(parcel.parts.slice(0, -1), UPDATED)
      Object.assign(parcel, { statusId: 1, driver: null, hasArrived: false })
      return undefined
    },

    assign(parcel: Parcel, party: number, driver: number): Refused {
      if (!isOwner(parcel, party) && parcel.statusId === 6 && parcel.driver === driver) return undefined
      const refused = reasons(
        isOwner(parcel, party) && 'TASK_DELEGATED',
        parcel.statusId >= 7 && 'TASK_ALREADY_PROCESSED',
      )
      if (refused) return refused
      tellWork(parcel, parcel.statusId === 6 ? [UNASSIGNED, ASSIGNED, UPDATED] : [ASSIGNED, UPDATED], UPDATED)
      Object.assign(parcel, { statusId: 6, driver })
      return undefined
    },
    unassign(parcel: Parcel, party: number): Refused {
      if (parcel.statusId === 1) return undefined
      const refused = reasons(isOwner(parcel, party) && 'TASK_DELEGATED', isEnded(parcel))
      if (refused) return refused
      tellWork(parcel, [UNASSIGNED, UPDATED], UPDATED)
      Object.assign(parcel, { statusId: 1, driver: null, hasArrived: false })
      return undefined
    },
    force(parcel: Parcel, party: number, isDone: boolean, reason: string | null): Refused {
      const refused = reasons(
        isOwner(parcel, party) && 'TASK_DELEGATED',
        parcel.statusId === 1 && 'TASK_NOT_ASSIGNED',
        isEnded(parcel),
      )
      if (!refused) end(parcel, isDone, reason)
      return refused
    },
    /** What the driver does who has it. */
    act(parcel: Parcel, verb: 'start' | 'arrive' | 'complete' | 'fail', reason: string | null): Refused {
      const refused = reasons((verb === 'arrive' || verb === 'complete') && parcel.statusId === 6 && 'TASK_NOT_STARTED')
      if (refused) return refused
      if (verb === 'complete' || verb === 'fail') end(parcel, verb === 'complete', reason)
      // What the same driver did before is done.
      else if (verb === 'start' && parcel.statusId === 6) {
        parcel.statusId = 7
        tellWork(parcel, [START], START)
      } else if (verb === 'arrive' && !parcel.hasArrived) {
        parcel.hasArrived = true
        tellWork(parcel, [UPDATED], UPDATED)
      }
      return undefined
    },
    edit(parcel: Parcel, party: number, edit: Partial<Pick<Parcel, 'details' | 'quantity' | 'price'>>): Refused {
      const above = parcel.parts.slice(0, placeOf(parcel, party))
      if (above.some((part) => !parties[part.party]?.mayModify)) return ['FORBIDDEN_BY_SETTING']
      const changed = Object.entries(edit).some(([name, value]) => parcel[name as 'details'] !== value)
      Object.assign(parcel, edit)
      if (changed) tell(parcel.parts, UPDATED)
      return undefined
    },
    /** What is nobody else's business, nor ever theirs to forbid. */
    prioritise(parcel: Parcel, party: number, priority: number) {
      const part = parcel.parts[placeOf(parcel, party)] as Part
      if (part.priority !== priority) tell([part], UPDATED)
      part.priority = priority
    },
    remove(parcel: Parcel, party: number): Refused {
      const refused = reasons(
        placeOf(parcel, party) > 0 && 'TASK_OF_PARTNER',
        parcel.statusId === 7 && 'TASK_IN_TRANSIT',
        isEnded(parcel),
      )
      if (refused) return refused
      drop(parcel, 0)
      parcels.splice(parcels.indexOf(parcel), 1)
      return undefined
    },
    note(parcel: Parcel, note: string) {
      for (const part of parcel.parts) part.notes.push(note)
      tell(parcel.parts, UPDATED)
    },
    pay(parcel: Parcel, amount: number): Refused {
      if (amount > parcel.price - parcel.paid) return ['PAYMENT_TOO_MUCH']
      if (parcel.paid + amount < 0) return ['PAYMENT_TOO_MUCH']
      parcel.paid += amount
      tell(parcel.parts, UPDATED)
      return undefined
    },
  }
}

export type PartnersModel = ReturnType<typeof createPartnersModel>
