import type { Transport } from '../../../../core/travel.ts'
import type { OsmRelation, Tags } from '../../extract/elements.ts'
import { motorised, profiles, setOf, vehicles } from '../profiles.ts'
import { namesOf } from './access.ts'

/* Turns that signs forbid, as relations say it: from a way, via a node or ways, to a way. */

export interface Restriction {
  from: readonly number[]
  /** A node, or ways in their order. */
  via: { node: number } | { ways: readonly number[] }
  to: readonly number[]
  /** Whether the turn is the only one that is allowed, instead of forbidden. */
  isOnly: boolean
  /** The profiles for whom it holds. */
  holdsFor: number
}

/** Undefined for what is no restriction, or one that holds at times only: what time it will be is not known when ways are prepared. */
export function readRestriction({ tags, members }: OsmRelation): Restriction | undefined {
  if (!/^restriction/.test(tags['type'] ?? '') || tags['hour_on'] || tags['day_on']) return undefined
  const { value, holdsFor } = whatAndWhom(tags)
  if (!holdsFor || !/^(no|only)_/.test(value)) return undefined
  const ids = (role: string, type: string) =>
    members.filter((member) => member.role === role && member.type === type).map(({ id }) => id)
  const [from, to] = [ids('from', 'way'), ids('to', 'way')]
  const [nodes, ways] = [ids('via', 'node'), ids('via', 'way')]
  const via = nodes.length === 1 ? { node: nodes[0] as number } : { ways }
  if (from.length === 0 || to.length === 0 || ('ways' in via && ways.length === 0)) return undefined
  return { from, via, to, isOnly: value.startsWith('only_'), holdsFor }
}

function whatAndWhom(tags: Tags): { value: string; holdsFor: number } {
  const excepted = (tags['except'] ?? '').split(/[;,]/).map((name) => name.trim())
  if (tags['restriction']) return { value: tags['restriction'], holdsFor: vehicles & ~setOfNames(excepted) }
  // For some only: `restriction:hgv`.
  const own = Object.keys(tags).filter((key) => /^restriction:[a-z_]+$/.test(key) && key !== 'restriction:conditional')
  const [first] = own
  if (!first) return { value: '', holdsFor: 0 }
  const value = tags[first] as string
  const names = own.filter((key) => tags[key] === value).map((key) => key.slice('restriction:'.length))
  return { value, holdsFor: setOfNames(names) & ~setOfNames(excepted) }
}

const setOfNames = (names: readonly string[]) => names.reduce((bits, name) => bits | setOfName(name), 0)

function setOfName(name: string): number {
  if (name === 'motor_vehicle') return motorised
  if (name === 'vehicle') return vehicles
  return setOf(...profiles.filter((profile) => profile !== 'foot' && isMeant(profile, name)))
}

const isMeant = (profile: Transport, name: string) => namesOf[profile].includes(name)
