import type { Tags } from '../../extract/elements.ts'

/* What signs say in numbers. */

/** In km/h, where a sign says only which rules hold; countries differ little, and those that do are below. */
const zones: Readonly<Record<string, number>> = {
  urban: 50,
  rural: 90,
  trunk: 100,
  motorway: 130,
  living_street: 20,
  pedestrian_zone: 10,
  bicycle_road: 30,
  nsl_single: 97,
  nsl_dual: 113,
}
const zonesByCountry: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AT: { rural: 100 },
  DE: { rural: 100, living_street: 10 },
  GB: { motorway: 113, urban: 48, rural: 97 },
  HU: { trunk: 110 },
  IT: { trunk: 110 },
  PL: { motorway: 140 },
  UK: { motorway: 113, urban: 48, rural: 97 },
}

/** `50`, `30 mph`, `RO:urban`, `DE:zone:30`; of several the lowest. In km/h; undefined for `none`, `signals` and what nobody knows. */
export function readSpeed(text: string | undefined): number | undefined {
  const all = (text ?? '').split(/[;|]/).flatMap((part) => readOneSpeed(part.trim()) ?? [])
  return all.length > 0 ? Math.min(...all) : undefined
}

function readOneSpeed(text: string): number | undefined {
  if (text === 'walk') return 7
  const [, digits, unit] = /^(\d{1,3}(?:\.\d+)?) ?(km\/h|kmh|kph|mph|knots)?$/.exec(text) ?? []
  if (digits) {
    const speed = Number(digits) * (unit === 'mph' ? 1.609 : unit === 'knots' ? 1.852 : 1)
    return speed >= 3 ? speed : undefined
  }
  const [, country, zone] = /^([A-Z]{2})(?:-[A-Z]+)?:(.+)$/.exec(text) ?? []
  if (!country || !zone) return undefined
  const [, number] = /^(?:zone:?)?(\d{1,3})$/.exec(zone) ?? []
  return number ? Number(number) : (zonesByCountry[country]?.[zone] ?? zones[zone])
}

/** In km/h. */
export interface Limit {
  kmh: number
  /** Whether it is what holds wherever no sign says anything else, such as `RO:urban`: it says nothing of this road. */
  isGeneral: boolean
}

/** The speed limit for whom these names stand, the more exact first; in this direction. */
export function speedLimit(tags: Tags, names: readonly string[], direction: 'forward' | 'backward'): Limit | undefined {
  const signs = [...names.map((name) => `maxspeed:${name}`), `maxspeed:${direction}`, 'maxspeed']
  const rules = ['maxspeed:type', 'source:maxspeed', 'zone:maxspeed', 'zone:traffic']
  const key = [...signs, ...rules].find((key) => tags[key] !== undefined)
  const kmh = key && readSpeed(tags[key])
  return kmh ? { kmh, isGeneral: /:urban$/.test(tags[key] as string) } : undefined
}

/** `3.5`, `7.5 t`, `3500 kg`. In tonnes. */
export function readTonnes(text: string | undefined): number | undefined {
  const [, digits, unit = 't'] = /^(\d+(?:[.,]\d+)?) ?(t|kg|lbs|st)?$/.exec(text ?? '') ?? []
  if (!digits) return undefined
  const factors = { t: 1, kg: 0.001, lbs: 0.000454, st: 0.907 }
  return Number(digits.replace(',', '.')) * factors[unit as keyof typeof factors]
}

/** `3.8`, `3.8 m`, `12'6"`. In metres. */
export function readMetres(text: string | undefined): number | undefined {
  const [, digits] = /^(\d+(?:[.,]\d+)?) ?m?$/.exec(text ?? '') ?? []
  if (digits) return Number(digits.replace(',', '.'))
  const [, feet, inches = '0'] = /^(\d+)'(?: ?(\d+)")?$/.exec(text ?? '') ?? []
  return feet ? (Number(feet) * 12 + Number(inches)) * 0.0254 : undefined
}

/** `00:20`, `01:30:00`, `PT20M`, or plain minutes. In seconds. */
export function readDuration(text: string | undefined): number | undefined {
  const [, hours, minutes, seconds = '0'] = /^(\d+):(\d\d)(?::(\d\d))?$/.exec(text ?? '') ?? []
  if (hours) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) || undefined
  const [whole, h = '0', m = '0', s = '0'] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(text ?? '') ?? []
  if (whole) return Number(h) * 3600 + Number(m) * 60 + Number(s) || undefined
  return /^\d+$/.test(text ?? '') ? Number(text) * 60 || undefined : undefined
}
