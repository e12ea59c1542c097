import type { Place } from './geocoder.ts'

/* How names of places are compared: without accents, letter case, punctuation, and words such as "municipiul". */

/** Letters that Unicode does not split into a letter and an accent. */
const plain: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i' }

/** "Târgu-Mureş" and "targu mures" are one name. Other scripts than Latin are kept: the gazetteer has names in them. */
export const foldName = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßæœøđðþłı]/g, (letter) => plain[letter] as string)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

const kindsBefore = /^(?:(?:municipiul|mun|orasul|oras|comuna|com|satul|sat|localitatea|loc|judetul|jud|city of) )+/
const kindsAfter = /(?: (?:county|city|province|region|oblast|prefecture|municipality))+$/

/** The name alone: "Jud. Cluj" and "Cluj County" are Cluj. */
export const bareName = (folded: string): string => folded.replace(kindsBefore, '').replace(kindsAfter, '')

/** Usual abbreviations of the first word of Romanian towns. */
const abbreviations: Record<string, string> = { tg: 'targu', rm: 'ramnicu', sf: 'sfantu' }
const inFull = (name: string) => name.replace(/^(tg|rm|sf) /, (_, short: string) => `${abbreviations[short]} `)

/** Four digits or more; and those of Great Britain, Canada and the Netherlands, which have letters. */
const postalCodes = /\b(?:\d{4} [a-z]{2}|\d{4,}|[a-z]{1,2}\d[a-z\d]? \d[a-z]{2}|[a-z]\d[a-z] \d[a-z]\d)\b/g

/** "Strada Lipscani 12 București", without a comma. Two words before the number: "Calea 13 Septembrie" is all street. */
const streetBefore = /^\p{L}+(?: \p{L}+)+ \d+[a-z]? (?=[^\d]+$)/u

/** At commas, and around a sector, which often has none. */
const split = (text: string | null) =>
  (text ?? '').replace(/\bsector(?:ul)? \d\b/gi, (sector) => `,${sector.replace(/ul /i, ' ')},`).split(/[,;\n]/)

/** A part of an address as the name of a town or region; "" if it cannot be one. */
function readName(part: string, country: string): string {
  const withoutCode = foldName(part).replace(postalCodes, ' ').replace(/ +/g, ' ').trim()
  const name = inFull(bareName(withoutCode.replace(streetBefore, '')))
  // Only the country is left of "RO-030031".
  if (name === country.toLowerCase()) return ''
  // A part with a house number is a street, even if it has the name of a town. But "Sector 3" is a part of town.
  return !/\d/.test(name) || /^\p{L}{4,} \d$/u.test(name) ? name : ''
}

/** The names in an address that may be a town or its region, most likely first. */
export function namesIn({ address, city, area, country }: Place) {
  const read = (parts: string[]) => parts.map((part) => readName(part, country)).filter(Boolean)
  const [ofCity, [ofArea], inLine] = [read(split(city)), read(split(area)), read(split(address).reverse())]
  const isNotArea = (name: string) => !city?.trim() || name !== ofArea
  return {
    all: [...new Set([...ofCity, ...(ofArea ? [ofArea] : []), ...inLine])],
    /** An area next to a city is not read as a city, although a county often has the name of its largest city. */
    towns: [...new Set([...ofCity, ...[...inLine, ...(ofArea ? [ofArea] : [])].filter(isNotArea)])],
  }
}
