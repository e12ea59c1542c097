import { foldName } from '../../outside/geocoders/names.ts'
import { distanceBetween } from './spelling.ts'

/*
 * How names of streets and towns are compared. Both the register and what people type go through here, so that whatever is done to
 * one is done to the other: no accents, no letter case, kinds of streets apart ("Bd.", "Bulevardul"), abbreviations in full,
 * numbers in digits.
 */

/**
 * Kinds of streets in the languages of Europe, by what they are. A kind says little: many people leave it out or have it
 * wrong, but it decides between "Strada Florilor" and "Aleea Florilor".
 */
const kinds = {
  street:
    'strada str s strazi street st strasse rue r via calle c ulica ul ulice utca u gatan gata straat ulitsa улица ул вулиця вул odos carrer rua',
  avenue: 'calea cale cal avenue ave av avenida avda avinguda prospekt проспект sugarut',
  boulevard: 'bulevardul bulevard bul bd bdul bld bvd blvd bulv boulevard bulvar bulwar korut krt viale бульвар',
  highway: 'soseaua sosea sos soseau road rd chaussee chemin carretera szosa ut шоссе',
  alley: 'aleea alee al alea allee alley aleja aleje laan',
  entrance: 'intrarea intrare int intr',
  quay: 'splaiul splai spl quai quay kai lungotevere rakpart',
  square: 'piata piateta pta piatza square sq platz pl place plaza plac piazza praca namesti trg ter plein площадь',
  path: 'drumul drum drm dr weg lane ln way drive path poteca cararea',
  dead_end: 'fundatura fundac fund fdt fnd impasse close cul',
  passage: 'pasajul pasaj passage passaggio',
  extension: 'prelungirea prelungire prel',
  small: 'stradela ulita ulicioara hodos gasse court ct vicolo corso larg largo scuarul scuar',
} as const

export type Kind = keyof typeof kinds

const kindOf = new Map<string, Kind>(
  Object.entries(kinds).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind as Kind] as const)),
)

/** What a word may say about the kind of a street. */
export const readKind = (word: string): Kind | undefined => kindOf.get(word)

/** Shorter kinds, misspelt, may be another word: "piatra". */
const fewestOfMisspelt = 6
const longKinds = [...kindOf].filter(([word]) => word.length >= fewestOfMisspelt)

/** "Starda", "Bulevadul": what one wrong letter has made of a kind. */
export const readMisspeltKind = (word: string): Kind | undefined =>
  longKinds.find(([known]) => known[0] === word[0] && distanceBetween(word, known, 1) === 1)?.[1]

/** Written together with the name in German, Dutch and Scandinavian, and often abbreviated. */
const kindEndings = /^(\p{L}{3,}?)(?:strasse|straat|gatan|str)$/u

/** One way to write what is written in several. Only of a whole word. */
const inFull = new Map(
  Object.entries({
    gheorghe: 'gh gheorge george',
    constantin: 'ctin const',
    nicolae: 'nic nicolaie',
    stefan: 'stef',
    alexandru: 'alex alecsandru',
    dumitru: 'dtru',
    sfant: 'sf sfantul sfantu sfanta sfintii sfintei sfintilor saint sainte sankt san santa sint sveti szent',
    general: 'gen gral generalul',
    doctor: 'doctorul',
    profesor: 'prof profesorul professor',
    inginer: 'ing inginerul',
    colonel: 'col colonelul',
    capitan: 'cpt cap capitanul captain capitaine',
    maior: 'mr maiorul major',
    locotenent: 'lt loc locotenentul',
    sublocotenent: 'slt',
    sergent: 'sg sgt serg sergentul',
    caporal: 'cpl caporalul',
    plutonier: 'plt plutonierul',
    maresal: 'mares mareschal marechal maresalul',
    amiral: 'adm amiralul',
    academician: 'acad academicianul',
    arhitect: 'arh arhitectul',
    aviator: 'av aviatorul',
    mitropolit: 'mitr mitropolitul',
    preot: 'pr preotul',
    episcop: 'ep episcopul',
    patriarh: 'patr patriarhul',
    domnitor: 'domn dom domnitorul',
    voievod: 'voda vv',
    erou: 'eroul',
    republica: 'rep',
    president: 'pres presedinte',
    doktor: 'dott',
  }).flatMap(([full, short]) => short.split(' ').map((word) => [word, full] as const)),
)

/** What stands before a person's name and is left out by many. */
const titles = new Set(
  `sfant general doctor profesor inginer colonel capitan maior locotenent sublocotenent sergent caporal plutonier maresal amiral
  academician arhitect aviator mitropolit preot episcop patriarh domnitor voievod erou regele rege regina principe principesa
  imparatul pictor compozitor sculptor poet scriitor martir muncitor pilot cardinal papa logofat vornic ban cneaz dr king queen
  president presidente`.split(/\s+/),
)

/** Words that say nothing about which street it is. */
const fillers = new Set(
  `de la al a ai ale lui din cu pe in si sub spre des du le les et d l the of and der die das am an zu zum zur von vom im van den het
  di del della dei delle dello da do dos el los las y i na nad w`.split(/\s+/),
)

const numbersInWords: Record<string, string> = Object.fromEntries(
  `unu:1 intai:1 doi:2 trei:3 patru:4 cinci:5 sase:6 sapte:7 opt:8 noua:9 zece:10 unsprezece:11 doisprezece:12 treisprezece:13
  paisprezece:14 cincisprezece:15 saisprezece:16 optsprezece:18 douazeci:20 first:1 second:2 third:3 fourth:4 fifth:5 sixth:6
  seventh:7 eighth:8 ninth:9 tenth:10`
    .split(/\s+/)
    .map((pair) => pair.split(':')),
)

/** "Nouă" is nine and new: as a number it is only read before a month. */
const months = new Set(
  'ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie'.split(' '),
)

/** The roman numbers of kings and popes; a single C, D, L or M is an initial. */
const roman: Record<string, string> = Object.fromEntries(
  'ii:2 iii:3 iv:4 vi:6 vii:7 viii:8 ix:9 xi:11 xii:12 xiii:13 xiv:14 xv:15 xvi:16 xxiii:23'
    .split(' ')
    .map((pair) => pair.split(':')),
)

/** A folded word as it is compared. */
const readWord = (word: string): string =>
  inFull.get(word) ?? roman[word] ?? word.replace(/^(\d+)(?:st|nd|rd|th|lea|er|eme)$/, '$1')

/** The folded words of a text; what is written with a hyphen inside one word ("p-ța", "b-dul") is one. */
export const splitWords = (text: string): string[] =>
  foldName(text.replace(/(?<![\p{L}\p{N}])(p|b|c)-(?=\p{L})/giu, '$1'))
    .split(' ')
    .filter(Boolean)

/** Words as they are compared, in their order. */
export function readWords(text: string): string[] {
  const words = splitWords(text)
  return words.map((word, index) => {
    const number = word !== 'noua' || months.has(words[index + 1] ?? '') ? numbersInWords[word] : undefined
    return number ?? readWord(word)
  })
}

/** How much a word says about which street or town is meant. */
export function weightOf(word: string): number {
  if (fillers.has(word)) return 0.1
  if (titles.has(word)) return 0.3
  return word.length === 1 && !/\d/.test(word) ? 0.2 : 1
}

export interface StreetName {
  kind: Kind | undefined
  /** Without the kind; never empty, unless the name has no letter or digit. */
  words: readonly string[]
}

/** "Bulevardul Mihai Viteazu", "Hauptstraße", "Abbey Road": the kind stands before, in or after the name. */
export function readStreetName(name: string): StreetName {
  const words = readWords(name)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (words.length > 1 && kindOf.has(first)) {
    // "Strada Intrarea Doinei" is an entrance.
    const second = words.length > 2 ? kindOf.get(words[1] as string) : undefined
    return second ? { kind: second, words: words.slice(2) } : { kind: kindOf.get(first), words: words.slice(1) }
  }
  if (words.length > 1 && kindOf.has(last)) return { kind: kindOf.get(last), words: words.slice(0, -1) }
  const [ending] = kindEndings.exec(last)?.slice(1) ?? []
  if (ending) return { kind: 'street', words: [...words.slice(0, -1), ending] }
  return { kind: undefined, words }
}

/** The same for all spellings that certainly mean one street: the words in their alphabetical order, then the kind. */
export function keyOf({ kind, words }: StreetName): string {
  return `${[...words].sort().join(' ')}|${kind ?? ''}`
}

/** A word that may be written together with the kind of its street. */
export const withoutKindEnding = (word: string): string => kindEndings.exec(word)?.[1] ?? word

/** Words such as "municipiul", which stand before a town or region and say nothing about which one. */
const kindsOfPlaces = new Set(
  `municipiul municipiu mun orasul oras or comuna com satul sat localitatea loc judetul judet jud city town county of cartierul cartier
  cart village region province`.split(/\s+/),
)
export const isKindOfPlace = (word: string): boolean => kindsOfPlaces.has(word)

const townsInFull: Record<string, string> = {
  tg: 'targu',
  rm: 'ramnicu',
  tr: 'turnu',
  sectorul: 'sector',
  sect: 'sector',
}

/** The words of the name of a town or region. */
export function readPlaceName(name: string): string[] {
  const words = readWords(name).map((word) => townsInFull[word] ?? word)
  const telling = words.filter((word) => !kindsOfPlaces.has(word))
  return telling.length > 0 ? telling : words
}

/** A postcode as a word, with or without the space some countries put into it. */
export const postalWord = (code: string) => `#${code.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()}`
