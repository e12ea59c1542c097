import type { Transport } from '../../../../core/travel.ts'
import type { Tags } from '../../extract/elements.ts'

/* Who may go where, as far as signs say. */

/** Under which names signs speak to whom, the most exact first. */
export const namesOf: Readonly<Record<Transport, readonly string[]>> = {
  foot: ['foot'],
  bicycle: ['bicycle', 'vehicle'],
  motorcycle: ['motorcycle', 'motor_vehicle', 'vehicle'],
  car: ['motorcar', 'motor_vehicle', 'vehicle'],
  van: ['goods', 'motorcar', 'motor_vehicle', 'vehicle'],
  truck: ['hgv', 'motor_vehicle', 'vehicle'],
}

/**
 * `ends`: only where the way begins or ends, never to pass through. A courier may enter what is for residents, for delivery and
 * for customers, and is let in where it is private: the address is there. Whoever only wants to pass may not.
 */
export type Access = 'open' | 'ends' | 'closed'

const meanings: Readonly<Record<string, Access>> = {
  yes: 'open',
  permissive: 'open',
  designated: 'open',
  official: 'open',
  public: 'open',
  destination: 'ends',
  delivery: 'ends',
  customers: 'ends',
  residents: 'ends',
  permit: 'ends',
  private: 'ends',
  no: 'closed',
  agricultural: 'closed',
  forestry: 'closed',
  military: 'closed',
  emergency: 'closed',
  use_sidepath: 'closed',
  separate: 'closed',
  bus: 'closed',
  psv: 'closed',
}

export interface Sign {
  access: Access
  /** What it says, such as `private`. */
  value: string
  /** Whether it speaks to this profile by a name of its own, and not to everybody. */
  isOwn: boolean
}

/** What a sign says to a profile; undefined if there is none, or nobody knows what it means. */
export function signFor(tags: Tags, profile: Transport, direction?: 'forward' | 'backward'): Sign | undefined {
  for (const name of [...namesOf[profile], 'access'])
    for (const key of direction ? [`${name}:${direction}`, name] : [name]) {
      const value = tags[key]
      if (value === undefined) continue
      const access = meanings[value] ?? (value === 'dismount' ? 'open' : undefined)
      if (access) return { access, value, isOwn: name !== 'access' }
    }
  return undefined
}
