/*
 * How tasks are found by what people type: every word of a search begins a word of the task, whatever its accents and
 * letter case. The server keeps the words of tasks in a table, the pages compare the tasks they have: by the same rule.
 */

/** Without accents and letter case: "Ștefan" and "STEFAN" are one name. */
export const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** What a task is found by. */
export interface Searched {
  awb: string
  phone: string
  /** The address on one line. */
  address: string
  /** Anything else. */
  texts: readonly (string | null | undefined)[]
}

/** A task keeps so many words, the most telling ones first, and of a word so many letters. */
export const mostWords = 60
const longestWord = 40
const longestAddress = 120

/** The first character of words that are not read from the front: what something ends with, and a whole address. */
const [endMark, addressMark] = ['<', '@']

const isDigits = (text: string) => /^\d+$/.test(text)
const reversed = (text: string) => [...text].reverse().join('')
const endOf = (text: string) => endMark + reversed(text)

/** Between words stands anything but letters, digits, and what numbers are written with: "KM-12/4" is one. */
const tokensOf = (text: string) => fold(text).split(/[^\p{L}\p{N}\-_/+]+/u)
const separators = /[-_/+]+/
const compact = (token: string) => token.split(separators).join('')

/** A number is found by the whole of it, without what separates its parts, and by each part. */
function* wordsIn(text: string | null | undefined) {
  for (const token of text ? tokensOf(text) : []) {
    const parts = token.split(separators).filter(Boolean)
    if (parts.length > 0) yield parts.join('')
    if (parts.length > 1) yield* parts
  }
}

/** Without the code of the country, which is this one; if it is not given, it may be any. */
const nationalOf = (digits: string, callingCode: string | undefined) =>
  callingCode === undefined
    ? [1, 2, 3].map((length) => digits.slice(length))
    : digits.startsWith(callingCode)
      ? [digits.slice(callingCode.length)]
      : []

function* everyWord({ awb, phone, address, texts }: Searched, callingCode: string | undefined) {
  yield* wordsIn(awb)
  yield endOf(compact(tokensOf(awb).join('')))
  const digits = phone.replace(/\D/g, '')
  yield digits
  yield endOf(digits)
  if (phone.startsWith('+')) yield* nationalOf(digits, callingCode)
  else yield* wordsIn(phone)
  const whole = addressWord(address)
  if (whole) yield whole
  yield* wordsIn(address)
  for (const text of texts) yield* wordsIn(text)
}

/** The words of a task. Without a calling code more than the server keeps, so that pages need not know it. */
export function wordsOf(searched: Searched, callingCode?: string): string[] {
  const words = new Set<string>()
  for (const word of everyWord(searched, callingCode)) {
    if (word.length > 1 || !word.startsWith(endMark))
      words.add(word.startsWith(addressMark) ? word : word.slice(0, longestWord))
    if (words.size === mostWords) break
  }
  words.delete('')
  return [...words]
}

/** How streets are abbreviated; a word that is left out by some says nothing. */
export const inFull: Readonly<Record<string, string>> = {
  str: 'strada',
  bd: 'bulevardul',
  bdul: 'bulevardul',
  blvd: 'bulevardul',
  sos: 'soseaua',
  al: 'aleea',
  cal: 'calea',
  intr: 'intrarea',
  nr: '',
  numarul: '',
}

/** An address as one word: the same for all ways to write it that we know of. Undefined if there is none. */
export function addressWord(address: string): string | undefined {
  const words = tokensOf(address).map((token) => inFull[compact(token)] ?? compact(token))
  const line = words.filter(Boolean).join(' ')
  return line ? (addressMark + line).slice(0, longestAddress) : undefined
}

/** What a task must have a word with: one of these beginnings. */
export type Term = readonly string[]

/** A phone is typed in groups. */
const fewestGrouped = 8
/** So many last digits, and so many without the zero before a number, say enough. */
const [fewestLast, fewestNational] = [3, 6]

function termOf(word: string): Term {
  if (!isDigits(word)) return [word.slice(0, longestWord)]
  const bare = word.replace(/^0+/, '')
  const hasZero = bare !== word && bare.length > 1
  return [
    word,
    ...(hasZero ? [bare] : []),
    ...(word.length >= fewestLast ? [endOf(word)] : []),
    ...(hasZero && bare.length >= fewestNational ? [endOf(bare)] : []),
  ].map((beginning) => beginning.slice(0, longestWord))
}

/** What a search looks for; each term has to be found. A search without a letter or digit looks for nothing. */
export function readSearch(text: string): Term[] {
  const words = tokensOf(text).map(compact).filter(Boolean)
  const together = words.join('')
  const isNumber = words.length > 1 && isDigits(together) && together.length >= fewestGrouped
  return [...new Set(isNumber ? [together] : words)].map(termOf)
}

/** Whether a search finds something with these words. */
export const isFound = (words: readonly string[], terms: readonly Term[]): boolean =>
  terms.length > 0 && terms.every((term) => words.some((word) => term.some((beginning) => word.startsWith(beginning))))
