import { foldName } from '../../../outside/geocoders/names.ts'
import { type Kind, readKind, readMisspeltKind, readWords, splitWords, weightOf, withoutKindEnding } from '../names.ts'
import { type HouseNumber, readNumbers } from '../numbers.ts'

/*
 * An address as its words, without deciding yet what each of them is: the register decides. Only what can never be the name of a
 * street is taken away: flats, staircases, floors, what is beside the house.
 */

export interface Token {
  /** As it is compared. */
  word: string
  /** Other words it may stand for: "St." is a street, a saint, or Stephen. */
  others: readonly string[]
  kind: Kind | undefined
  weight: number
  /** Which part of the line it is in, counted by commas. */
  part: number
  /** The numbers it may be, if it may be that of a house. */
  numbers: readonly HouseNumber[]
  /** It stands after "nr." */
  isHouseNumber: boolean
  /** The person said that it is the name of the town or of the county. */
  role: 'line' | 'city' | 'area'
  /** In brackets. */
  isAside: boolean
  /** May be the beginning of a word that is still being typed. */
  isBeginning: boolean
}

export interface Query {
  tokens: readonly Token[]
  postalCodes: readonly string[]
  country: string | undefined
}

export interface AddressText {
  address: string
  city?: string | null
  area?: string | null
  country?: string | undefined
  street_name?: string | null
  street_number?: string | null
  postal_code?: string | null
}

/** Longer texts are not addresses. */
const mostCharacters = 300
const mostTokens = 24

const insideWords =
  'bl|bloc|blocul|sc|scara|et|etaj|etajul|ap|apt|apart|apartament|apartamentul|interfon|camera|cam|corp|tronson|flat|unit|suite|floor|fl|stiege|top|wohnung|whg|etage|batiment|bat|appt|app|escalera|piso|puerta|interno|scala|piano|lok|lokal|door'
/** "bl. A12", "Sc. B", "ap 4": a short code after the word. */
const inside = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${insideWords})\\s*[.:]?\\s*(?:nr\\.?\\s*)?(?:\\p{L}{0,2}\\d{1,4}\\p{L}?|\\p{L}(?:\\d{1,3})?)(?![\\p{L}\\p{N}])`,
  'giu',
)
const floors =
  /(?<![\p{L}\p{N}])\d{1,2}\s?\.?(?:st|nd|rd|th|er|e|eme|ème|º)?\s*(?:floor|etage|étage|stock|og|piso|piano)(?![\p{L}\p{N}])/giu
const groundFloors = /(?<![\p{L}\p{N}])(?:parter|demisol|mansarda|mansardă|rdc|ground floor)(?![\p{L}\p{N}])/giu
/** Where to look for it, rather than what it is. */
const beside =
  /(?<![\p{L}\p{N}])(?:l[aâ]ng[aă]|vizavi|vis[ -]a[ -]vis|col[tț] cu|peste drum de|in spate|[iî]n fa[tț]a|near|next to|opposite|behind)(?![\p{L}\p{N}]).*$/giu
const postalWords =
  /(?<![\p{L}\p{N}])(?:cod(?:ul)? po[sșş]tal|cod|c\.?p\.?|zip(?: code)?|plz|post ?code)\s*[.:]?\s*(?=\d)/giu
const numberWords = /^(?:nr|no|numarul|numar|number|nummer|nº|n°|#)$/

/** A number with what belongs to it, or a word. */
const pieces =
  /\d+(?:\s*[/-]\s*\d+\p{L}?(?!\p{L})|\s?(?:bis|ter|quater)(?!\p{L})|[\s-]?\p{L}(?![\p{L}.'’]))?|#|[\p{L}\p{M}\d'’.]+(?:-\p{L}[\p{L}\p{M}'’]*)*/gu

export function parse(given: AddressText, isTyping = false): Query {
  const { address, city, area, country, street_name, street_number, postal_code } = given
  const line = address.slice(0, mostCharacters)
  const isMissing = street_name && !foldName(line).includes(foldName(street_name))
  const whole = isMissing ? `${street_name} ${street_number ?? ''}, ${line}` : line
  const codes = new Set<string>()
  for (const code of postalCodesIn(whole)) codes.add(code)
  for (const code of postalCodesIn(postal_code ?? '')) codes.add(code)
  if (postal_code) codes.add(compact(postal_code))

  const ignored = namesOfCountry(country)
  const tokens: Token[] = []
  let part = 0
  const read = (text: string, role: Token['role']) => {
    for (const piece of clean(text).split(/[,;\n|]|\s[-–]\s/)) {
      const isAside = piece.startsWith('\u0001')
      for (const token of tokensOf(piece.replaceAll('\u0001', ''), part, role, isAside))
        if (tokens.length < mostTokens && !ignored.has(token.word)) tokens.push(token)
      part += 1
    }
  }
  read(whole, 'line')
  // A number that was given on its own is not looked for in the line.
  const digits = street_number ? readNumbers(street_number) : []
  const said = new Set(digits.map(({ number }) => number))
  for (const [index, token] of tokens.entries())
    if (token.numbers.some(({ number }) => said.has(number))) tokens[index] = { ...token, isHouseNumber: true }
  if (digits.length > 0 && !tokens.some(({ isHouseNumber }) => isHouseNumber)) read(`, nr ${street_number}`, 'line')
  const last = tokens.at(-1)
  if (isTyping && last && /[\p{L}\p{N}]$/u.test(line)) tokens[tokens.length - 1] = { ...last, isBeginning: true }
  read((city ?? '').slice(0, 100), 'city')
  read((area ?? '').slice(0, 100), 'area')
  return { tokens, postalCodes: [...codes], country }
}

const clean = (text: string) =>
  text
    .replace(/\(([^)]*)\)?/g, ',\u0001$1,')
    .replace(postalWords, ' ')
    .replace(beside, ' ')
    .replace(floors, ' ')
    .replace(groundFloors, ' ')
    .replace(inside, ' ')
    .replace(/(?<![\p{L}\p{N}])(p|b|c)-(?=\p{L})/giu, '$1')

/** Words with a full stop in them are several: "I.L.Caragiale", "str.Lipscani". */
function tokensOf(text: string, part: number, role: Token['role'], isAside: boolean): Token[] {
  const tokens: Token[] = []
  let isNumberNext = false
  for (const [piece] of text.matchAll(pieces)) {
    if (/^\d/.test(piece) && !/^\d+(?:st|nd|rd|th|lea|er|eme)$/i.test(piece)) {
      const numbers = readNumbers(piece)
      const [word = ''] = /^\d+/.exec(piece) ?? []
      tokens.push(tokenOf(word, { part, role, isAside, numbers, isHouseNumber: isNumberNext }))
      isNumberNext = false
      continue
    }
    for (const one of splitWords(piece)) {
      if (numberWords.test(one)) {
        isNumberNext = true
        continue
      }
      // "nr.12", "nr12".
      const [, mark, digits] = /^(nr|no)?(\d+[a-z]?)$/.exec(one) ?? []
      const numbers = digits ? readNumbers(digits) : []
      const isHouseNumber = isNumberNext || mark !== undefined
      const word = digits && numbers[0] ? String(numbers[0].number) : one
      tokens.push(tokenOf(word, { part, role, isAside, numbers, isHouseNumber: numbers.length > 0 && isHouseNumber }))
      isNumberNext = false
    }
  }
  // Numbers in words depend on their neighbours.
  const words = readWords(tokens.map(({ word }) => word || '0').join(' '))
  return words.length === tokens.length
    ? tokens.map((token, at) => ({ ...token, word: words[at] as string, weight: weightOf(words[at] as string) }))
    : tokens
}

const meanings: Record<string, readonly string[]> = {
  st: ['sfant', 'stefan'],
  al: ['alexandru'],
  dr: ['doctor'],
  gral: ['general'],
  av: ['aviator'],
  r: ['rue'],
}

type Rest = Pick<Token, 'part' | 'role' | 'isAside' | 'numbers' | 'isHouseNumber'>

function tokenOf(word: string, rest: Rest): Token {
  const ending = withoutKindEnding(word)
  const others = [...(meanings[word] ?? []), ...(ending === word ? [] : [ending])]
  return {
    word,
    others,
    kind: readKind(word) ?? readMisspeltKind(word),
    weight: weightOf(word),
    isBeginning: false,
    ...rest,
  }
}

const compact = (code: string) => code.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

/** Whatever looks like a postcode in any country; the register knows which ones there are. */
function* postalCodesIn(text: string) {
  for (const [code] of text.matchAll(/(?<![\p{L}\p{N}])\d{4,7}(?![\p{L}\p{N}])/gu)) yield code
  for (const [code] of text.matchAll(
    /(?<![\p{L}\p{N}])(?:\d{3}[ ]\d{2,3}|\d{2}-\d{3}|\d{4}-\d{3}|\d{4}[ ]?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]?[ ]?\d[A-Z]{2}|[A-Z]\d[A-Z][ ]?\d[A-Z]\d)(?![\p{L}\p{N}])/giu,
  ))
    yield compact(code)
}

const countries = new Map<string, ReadonlySet<string>>()

/** "România", "Romania", "RO". */
function namesOfCountry(code: string | undefined): ReadonlySet<string> {
  if (!code || !/^[A-Z]{2}$/i.test(code)) return new Set()
  const known = countries.get(code)
  if (known) return known
  const names = ['en', 'ro', 'de', 'fr', 'hu', code.toLowerCase()].flatMap((language) => {
    const name = nameIn(language, code)
    const words = name ? splitWords(name) : []
    return words.length === 1 ? words : []
  })
  const found = new Set([...names, code.toLowerCase()])
  countries.set(code, found)
  return found
}

function nameIn(language: string, code: string): string | undefined {
  try {
    return new Intl.DisplayNames([language], { type: 'region' }).of(code.toUpperCase())
  } catch {
    return undefined
  }
}
