import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { profiles } from './profiles.ts'
import { ourSpeeds, roadClasses, type SpeedField, type Speeds } from './speeds.ts'

/*
 * What an operator sets instead of our speeds: a JSON file such as {"car": {"residential": 25}, "side": "left"}. What it does not name
 * stays as it is.
 */

export class SpeedsRefusal extends Error {
  override readonly name = 'SpeedsRefusal'
}

export interface GivenSpeeds {
  speeds: Speeds
  /** The name of the file they are from. */
  from: string
}

/** From, to and of what; everything else is a speed. */
const ranges: Partial<Record<SpeedField, readonly [least: number, most: number, unit: string]>> = {
  limitShare: [0.3, 1.2, ''],
  overClass: [1, 5, ''],
  rough: [0.1, 1, ''],
  gravel: [0.1, 1, ''],
  soft: [0.1, 1, ''],
  rightSeconds: [0, 300, ' (seconds)'],
  leftSeconds: [0, 300, ' (seconds)'],
  turnRoundSeconds: [0, 600, ' (seconds)'],
  lightSeconds: [0, 300, ' (seconds)'],
  crossingSeconds: [0, 300, ' (seconds)'],
  gateSeconds: [0, 600, ' (seconds)'],
  boardingSeconds: [0, 7200, ' (seconds)'],
  tonnes: [0.05, 100, ' (tonnes)'],
  heightMetres: [0.5, 6, ' (metres)'],
}
const speedRange = [1, 200, ' (km/h)'] as const

export async function readSpeedsFile(path: string): Promise<GivenSpeeds> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SpeedsRefusal(`The file of speeds ${path} cannot be read (${error.code})`)
  })
  return { speeds: readSpeeds(text, basename(path)), from: basename(path) }
}

/** Our speeds with what the text says instead; throws the first thing that is wrong with it in a sentence. */
export function readSpeeds(text: string, name: string): Speeds {
  const refuse = (what: string): never => {
    throw new SpeedsRefusal(`The file of speeds ${name} ${what}`)
  }
  const given = parse(text)
  if (!isObject(given)) return refuse('must be JSON such as {"car": {"residential": 25}}')
  const speeds = structuredClone(ourSpeeds)
  for (const [key, value] of Object.entries(given)) {
    if (key === 'side') {
      if (value !== 'right' && value !== 'left')
        return refuse(`must have "right" or "left" for side, not ${tell(value)}`)
      speeds.side = value
      continue
    }
    const profile = profiles.find((profile) => profile === key)
    if (!profile) return refuse(`has "${key}", which is none of side, ${profiles.join(', ')}`)
    if (!isObject(value))
      return refuse(`must have speeds for ${profile}, such as {"residential": 25}, not ${tell(value)}`)
    for (const [field, number] of Object.entries(value)) {
      if (!Object.hasOwn(speeds[profile], field))
        return refuse(
          `has "${profile}.${field}", which is none of ${[...roadClasses, 'roundabout', 'most', ...Object.keys(ranges)].join(', ')}`,
        )
      const [least, most, unit] = ranges[field as SpeedField] ?? speedRange
      if (typeof number !== 'number' || !(number >= least && number <= most))
        return refuse(`must have a number from ${least} to ${most}${unit} for ${profile}.${field}, not ${tell(number)}`)
      speeds[profile][field as SpeedField] = number
    }
  }
  return speeds
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const tell = (value: unknown) => JSON.stringify(value).slice(0, 60)
