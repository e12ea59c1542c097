import type { Maker, Tags } from './extract/elements.ts'

/** What there is in an extract, roughly: for the progress of an import, and what is told of it afterwards. */
export interface Found {
  roads: number
  houseNumbers: number
  buildings: number
  areas: number
}

export interface Counter extends Maker<Found> {
  /** So far. */
  found: Readonly<Found>
}

export function createCounter(): Counter {
  const found: Found = { roads: 0, houseNumbers: 0, buildings: 0, areas: 0 }
  const look = (tags: Tags) => {
    if (tags['addr:housenumber']) found.houseNumbers += 1
    if (tags['building']) found.buildings += 1
  }
  return {
    found,
    node: ({ tags }) => look(tags),
    way({ tags }) {
      look(tags)
      if (tags['highway']) found.roads += 1
    },
    area({ tags }) {
      look(tags)
      found.areas += 1
    },
    finish: async () => found,
    dispose: async () => {},
  }
}
