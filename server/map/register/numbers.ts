import { foldName } from '../../outside/geocoders/names.ts'

/* House numbers: "12", "12A", "12 bis", "12/3", "12-16"; and where a number is that nobody has put on the map. */

export interface HouseNumber {
  number: number
  /** What follows it: "a", "bis", "3"; usually "". */
  suffix: string
}

/** A house of a street. Coordinates are in millionths of a degree from the place of the street: about ten centimetres. */
export interface House extends HouseNumber {
  lat: number
  lng: number
  /** Computed from the ends of a row of houses when it was mapped, not seen. */
  isGuess: boolean
  /** The street has this number in two places, and nobody can say which is meant. */
  isTwice: boolean
  postalCode: string | null
}

/** A row that is called by its first and last number has so many houses at most. */
const mostInRow = 20
const mostDigits = 5

/** "12", "nr. 12", "A12", "12A", "12 A", "12-A", "12/3", "12 bis". */
const pattern =
  /^(?:nr|no|numarul|number|nummer|hausnr|n)?\s*(?:([a-z])\s?)?(\d+)(?:\/(\d+[a-z]?)|[\s/-]?(bis|ter|quater|[a-z]))?(?![a-z\d])/

/** What is folded keeps the marks that say something in a number. */
const foldNumber = (text: string) =>
  text
    .split(/\s*([/-])\s*/)
    .map((part, index) => (index % 2 === 1 ? part : foldName(part)))
    .join('')

/** One number as people write it; undefined if there is none. */
export function readNumber(text: string): HouseNumber | undefined {
  const [, before = '', digits = '', fraction, letter] = pattern.exec(foldNumber(text)) ?? []
  if (!digits || digits.length > mostDigits) return undefined
  return { number: Number(digits), suffix: fraction ?? letter ?? before }
}

/** Flats and staircases are not part of the number: "40, Ap. 1". */
const insideHouse = /[\s,]+(?:ap|apt|sc|bl|et|flat|unit|app)\b.*$/i

/** All the numbers a house or a row of houses has: "25-27", "38-40-42", "12;14", "20 - 26". */
export function readNumbers(text: string): HouseNumber[] {
  const found = new Map<string, HouseNumber>()
  const keep = (one: HouseNumber) => found.set(`${one.number}${one.suffix}`, one)
  for (const part of text.replace(insideHouse, '').split(/[;,]/)) {
    const ends = part.split(/[-–]/).map((piece) => readNumber(piece.trim()))
    const isRow = ends.length > 1 && ends.every((end) => end !== undefined)
    const known = isRow ? (ends as HouseNumber[]) : [readNumber(part)].filter((one) => one !== undefined)
    for (const one of known) keep(one)
    if (isRow && known.length === 2) for (const one of between(known as [HouseNumber, HouseNumber])) keep(one)
  }
  return [...found.values()]
}

/** The others of a row that is called by its ends: those on its side of the street, if both ends are on the same. */
function between([first, last]: readonly [HouseNumber, HouseNumber]): HouseNumber[] {
  const step = (last.number - first.number) % 2 === 0 ? 2 : 1
  const count = (last.number - first.number) / step - 1
  if (count < 1 || count > mostInRow) return []
  return Array.from({ length: count }, (_, index) => ({ number: first.number + step * (index + 1), suffix: '' }))
}

/** As people write it: "12A", "12 bis", "12/3". */
export const writeNumber = ({ number, suffix }: HouseNumber): string => {
  if (!suffix) return String(number)
  if (/^\d/.test(suffix)) return `${number}/${suffix.toUpperCase()}`
  return suffix.length > 1 ? `${number} ${suffix}` : `${number}${suffix.toUpperCase()}`
}

const byNumber = (a: House, b: House) => a.number - b.number || (a.suffix < b.suffix ? -1 : a.suffix > b.suffix ? 1 : 0)

// ---- All the houses of a street in one text, in the order of their numbers: a street is read whole or not at all ----

export function packHouses(houses: readonly House[]): string {
  const sorted = houses.toSorted(byNumber)
  return sorted
    .map(({ number, suffix, lat, lng, isGuess, isTwice, postalCode }) => {
      const parts = [
        `${number}${suffix && ` ${suffix}`}`,
        lat,
        lng,
        postalCode ?? '',
        isTwice ? '?' : isGuess ? '~' : '',
      ]
      return parts.join(',').replace(/,+$/, '')
    })
    .join(';')
}

export function unpackHouses(text: string): House[] {
  if (!text) return []
  return text.split(';').map((line) => {
    const [written = '', lat, lng, postalCode, guess] = line.split(',')
    const [number, suffix = ''] = written.split(' ')
    return {
      number: Number(number),
      suffix,
      lat: Number(lat),
      lng: Number(lng),
      postalCode: postalCode || null,
      isGuess: guess === '~',
      isTwice: guess === '?',
    }
  })
}
