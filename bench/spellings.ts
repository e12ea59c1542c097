import { between, chanceOf, happens, pick, type Random } from '../cli/demo/chance.ts'

/* How people write an address that is known, by seed: abbreviated, misspelt, in another order, with what is beside the point. */

export interface KnownHouse {
  id: string
  street: string
  number: string
  city: string | null
  postalCode: string | null
  /** Another name of the street, if it has one. */
  otherName: string | null
  lat: number
  lng: number
}

export interface Spelling {
  kind: string
  text: string
  /** Given apart from the line, as an import of a table does. */
  city: string | null
  hasNumber: boolean
}

const shortKinds: Record<string, readonly string[]> = {
  Strada: ['Str.', 'Str', 'str', 'STR.', 'S.'],
  Bulevardul: ['Bd.', 'B-dul', 'Bld.', 'Bdul', 'bul.', 'Blvd'],
  Calea: ['Cal.', 'cal'],
  Șoseaua: ['Șos.', 'Sos', 'sos.'],
  Aleea: ['Al.', 'al'],
  Intrarea: ['Int.', 'Intr.', 'intr'],
  Splaiul: ['Spl.', 'spl'],
  Piața: ['P-ța', 'Pta', 'Pța.', 'P-ta'],
  Fundătura: ['Fund.', 'Fnd.'],
  Prelungirea: ['Prel.'],
  Street: ['St', 'St.'],
  Avenue: ['Ave', 'Av.'],
  Road: ['Rd', 'Rd.'],
  Boulevard: ['Bd', 'Blvd'],
  Rue: ['R.'],
  Ulica: ['ul.'],
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')
const cedillas: Record<string, string> = { ș: 'ş', ț: 'ţ', Ș: 'Ş', Ț: 'Ţ' }
const withCedillas = (text: string) => text.replace(/[șțȘȚ]/g, (letter) => cedillas[letter] as string)

function shorten(random: Random, street: string): string {
  const [first = '', ...rest] = street.split(' ')
  const short = shortKinds[first]
  if (short && rest.length > 0) return [pick(random, short), ...rest].join(' ')
  const [last = ''] = rest.slice(-1)
  if (shortKinds[last]) return [first, ...rest.slice(0, -1), pick(random, shortKinds[last])].join(' ')
  return street.replace(/straße$/, 'str.').replace(/strasse$/, 'str.')
}

const withoutKind = (street: string) => {
  const [first = '', ...rest] = street.split(' ')
  return shortKinds[first] && rest.length > 0 ? rest.join(' ') : street
}

/** One letter missing, doubled, wrong, or swapped with the next, in one of the longer words. */
function misspell(random: Random, text: string): string {
  const words = text.split(' ')
  const possible = words.flatMap((word, at) => (/^\p{L}{5,}$/u.test(word) && !shortKinds[word] ? [at] : []))
  if (possible.length === 0) return text
  const at = pick(random, possible)
  const letters = [...(words[at] as string)]
  const where = between(random, 1, letters.length - 2)
  const letter = letters[where] as string
  const ways = [
    () => letters.splice(where, 1),
    () => letters.splice(where, 0, letter),
    () => letters.splice(where, 1, pick(random, [...'aeiounrst'])),
    () => letters.splice(where, 2, letters[where + 1] as string, letter),
  ]
  pick(random, ways)()
  words[at] = letters.join('')
  return words.join(' ')
}

const initials = (street: string) => {
  const words = street.split(' ')
  const inFull = words.slice(1, -1).filter((word) => /^\p{Lu}\p{Ll}{2,}$/u.test(word))
  return inFull.length > 0 ? words.map((word) => (inFull.includes(word) ? `${word[0]}.` : word)).join(' ') : undefined
}

const inside = (random: Random) =>
  pick(random, [
    `bl. ${pick(random, [...'ABCDP'])}${between(random, 1, 90)}, sc. ${pick(random, [...'ABC'])}, et. ${between(random, 1, 9)}, ap. ${between(random, 1, 60)}`,
    `bloc ${between(random, 1, 60)} scara ${pick(random, [...'AB12'])} ap ${between(random, 1, 80)}`,
    `ap. ${between(random, 1, 60)}`,
    `sc ${pick(random, [...'ABC'])} et ${between(random, 1, 4)} ap ${between(random, 1, 20)}`,
  ])

/** All the ways in which this house is written. */
export function spell(seed: number, house: KnownHouse): Spelling[] {
  const random = chanceOf(seed, house.id)
  const { street, number, postalCode, otherName } = house
  const city = house.city ?? ''
  const end = city && `, ${city}`
  const apart = city || null
  const made: Spelling[] = []
  const add = (kind: string, text: string, given: string | null = null, hasNumber = true) =>
    made.push({ kind, text, city: given, hasNumber })

  add('as it is', `${street} ${number}${end}`)
  add('abbreviated', `${shorten(random, street)} nr. ${number}${end}`)
  add('no diacritics', plain(`${shorten(random, street)} ${number}${end}`).toLowerCase())
  add('cedillas, capitals', withCedillas(`${street} nr ${number}${end}`).toUpperCase())
  add('a typo', `${misspell(random, street)} ${number}${end}`)
  add('a typo, no diacritics', plain(`${shorten(random, misspell(random, street))} nr.${number}${end}`))
  add('without its kind', `${withoutKind(street)} ${number}${end}`)
  add('without the town', `${shorten(random, street)} ${number}`)
  add('the town apart', `${shorten(random, street)} nr. ${number}`, apart)
  add('flat and staircase', `${shorten(random, street)} nr. ${number}, ${inside(random)}${end}`)
  add('swapped', city ? `${city}, ${shorten(random, street)}, nr. ${number}` : `${number} ${street}`)
  add('number first', `${number} ${street}${end}`)
  add('no commas', `${shorten(random, street)} ${number} ${city}`.trim())
  if (postalCode) {
    add('with the postcode', `${shorten(random, street)} ${number}, ${postalCode}${city && ` ${city}`}`)
    add('postcode first', `${postalCode} ${city} ${shorten(random, street)} ${number}`)
  }
  const short = initials(street)
  if (short) add('initials', `${shorten(random, short)} ${number}${end}`)
  if (otherName) add('another name', `${otherName} ${number}${end}`)
  add('foreign', `${number} ${plain(withoutKind(street))} Street${end && plain(end)}, Romania`)
  add('street only', `${shorten(random, street)}${end}`, null, false)
  if (happens(random, 0.5)) add('street only, a typo', `${misspell(random, street)}${end}`, null, false)
  return made
}
