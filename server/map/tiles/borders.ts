import type { Tags } from '../extract/elements.ts'
import type { Described, Properties } from './layers.ts'

const borders: Readonly<Record<string, readonly [kind: string, minZoom: number]>> = {
  2: ['country', 0],
  3: ['region', 5],
  4: ['region', 5],
  5: ['county', 8],
  6: ['county', 8],
}

/** The ways of a border carry its level; its relations would draw what two areas share twice. */
export function describeBorder(tags: Tags): Described | undefined {
  const level = tags['admin_level']
  if (tags['boundary'] !== 'administrative' || tags['maritime'] === 'yes' || level === undefined) return undefined
  const found = borders[level]
  if (!found) return undefined
  const properties: Properties = { kind: found[0], kind_detail: Number(level) }
  return { layer: 'boundaries', minZoom: found[1], properties }
}
