import { loadTexts } from '../../../../core/words/apps.ts'
import { languageCodes } from '../../../../core/words/languages.ts'
import type { Word } from '../../../words/console.ts'

/** What a column can mean. Names found in real files, folded, in English and Romanian; the first is the best match. */
export const fields = {
  address: [
    'address',
    'adresa',
    'delivery address',
    'adresa livrare',
    'adresa de livrare',
    'full address',
    'adresa completa',
    'destination',
    'destinatie',
  ],
  addressSecondLine: [
    'address line 2',
    'address 2',
    'apartment',
    'apartament',
    'floor',
    'etaj',
    'adresa 2',
    'bloc scara apartament',
    'unit',
  ],
  streetName: ['street', 'strada', 'street name', 'nume strada'],
  streetNumber: ['street number', 'house number', 'numar strada', 'nr strada', 'house no'],
  city: ['city', 'oras', 'localitate', 'town', 'localitatea', 'orasul'],
  area: ['area', 'zona', 'sector', 'district', 'judet', 'judetul', 'county', 'cartier', 'region'],
  postalCode: ['postal code', 'cod postal', 'zip', 'postcode', 'zip code'],
  country: ['country', 'tara', 'country code'],
  lat: ['lat', 'latitude', 'latitudine'],
  lng: ['lng', 'lon', 'long', 'longitude', 'longitudine'],
  day: ['day', 'date', 'data', 'ziua', 'delivery date', 'data livrare', 'data livrarii'],
  completeAfter: [
    'after',
    'from',
    'de la',
    'not before',
    'window start',
    'interval de la',
    'start',
    'dupa',
    'earliest',
    'complete after',
    'ora de la',
  ],
  completeBefore: [
    'before',
    'to',
    'until',
    'pana la',
    'by',
    'window end',
    'interval pana la',
    'end',
    'deadline',
    'latest',
    'complete before',
    'ora pana la',
  ],
  window: ['window', 'time window', 'interval', 'interval orar', 'slot', 'time slot', 'ora'],
  customerName: [
    'customer',
    'client',
    'name',
    'nume',
    'customer name',
    'nume client',
    'recipient',
    'destinatar',
    'contact',
    'persoana de contact',
    'nume destinatar',
    'consignee',
  ],
  customerPhone: [
    'phone',
    'telefon',
    'mobile',
    'mobil',
    'customer phone',
    'telefon client',
    'telefon destinatar',
    'tel',
    'phone number',
    'numar telefon',
    'nr telefon',
  ],
  customerEmail: ['email', 'e mail', 'mail', 'customer email', 'email client'],
  awb: [
    'awb',
    'reference',
    'referinta',
    'order',
    'comanda',
    'order id',
    'order number',
    'numar comanda',
    'nr comanda',
    'tracking number',
    'id',
    'waybill',
  ],
  details: ['details', 'detalii', 'description', 'descriere', 'content', 'continut', 'produse', 'items', 'products'],
  customerNotes: [
    'notes',
    'observatii',
    'note',
    'customer notes',
    'comments',
    'comentarii',
    'mentiuni',
    'instructions',
    'instructiuni',
    'remarks',
  ],
  totalPrice: [
    'cash',
    'ramburs',
    'price',
    'total',
    'pret',
    'cod',
    'cash on delivery',
    'amount',
    'suma',
    'de incasat',
    'total price',
    'valoare ramburs',
    'to collect',
  ],
  deliveryPrice: [
    'delivery price',
    'pret livrare',
    'delivery fee',
    'taxa livrare',
    'shipping',
    'transport',
    'cost livrare',
  ],
  quantity: [
    'quantity',
    'cantitate',
    'parcels',
    'colete',
    'nr colete',
    'numar colete',
    'pieces',
    'packages',
    'qty',
    'bucati',
    'volume',
  ],
  serviceTime: [
    'service time',
    'minutes',
    'minute',
    'service minutes',
    'timp servire',
    'durata',
    'duration',
    'timp de servire',
  ],
  priority: ['priority', 'prioritate'],
  pickupTask: ['pickup', 'ridicare', 'pick up', 'este ridicare', 'is pickup'],
  driver: ['driver', 'sofer', 'courier', 'curier', 'soferul'],
  team: ['team', 'echipa'],
  form: ['form', 'formular', 'formularul'],
} as const satisfies Record<string, readonly string[]>

export type FieldName = keyof typeof fields
export const fieldNames = Object.keys(fields) as FieldName[]
/** A column is one of our fields, a custom field, or ignored. */
export type Meaning = FieldName | 'custom' | ''
export type Mapping = readonly Meaning[]

export const fieldWords = {
  address: 'address',
  addressSecondLine: 'addressSecondLine',
  streetName: 'streetName',
  streetNumber: 'streetNumber',
  city: 'city',
  area: 'area',
  postalCode: 'postalCode',
  country: 'country',
  lat: 'latitude',
  lng: 'longitude',
  day: 'windowDay',
  completeAfter: 'completeAfter',
  completeBefore: 'completeBefore',
  window: 'timeWindow',
  customerName: 'customerName',
  customerPhone: 'customerPhone',
  customerEmail: 'customerEmail',
  awb: 'awb',
  details: 'details',
  customerNotes: 'customerNotes',
  totalPrice: 'totalPrice',
  deliveryPrice: 'deliveryPrice',
  quantity: 'quantity',
  serviceTime: 'serviceMinutes',
  priority: 'priority',
  pickupTask: 'pickupTask',
  driver: 'driver',
  team: 'team',
  form: 'form',
} as const satisfies Record<FieldName, Word>

/** “Nr. telefon”, “nr_telefon” and “NR TELEFON” are one name. */
const plain = (header: string) =>
  header
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    // customerName, as programs write it
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** How the console itself calls the fields, in every language, so that its templates and exports can be imported. */
export type OwnNames = Record<FieldName, readonly string[]>
export async function loadOwnNames(): Promise<OwnNames> {
  const texts = await Promise.allSettled(languageCodes.map((language) => loadTexts('console', language)))
  // Without a network only the language of the page is there.
  const loaded = texts.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const namesOf = (field: FieldName) => loaded.map((one) => plain(String(one[fieldWords[field]])))
  return Object.fromEntries(fieldNames.map((field) => [field, namesOf(field)])) as unknown as OwnNames
}

/** What the columns probably mean. Each field is given to one column: the one whose name fits best. */
export function guessMapping(headers: readonly string[], own: OwnNames): Mapping {
  const meanings: Meaning[] = headers.map(() => '')
  const names = headers.map(plain)
  const candidates = names.flatMap((name, column) =>
    fieldNames.map((field) => ({ column, field, score: scoreOf(name, field, own) })),
  )
  candidates.sort((one, other) => other.score - one.score || one.column - other.column)
  const given = new Set<FieldName>()
  for (const { column, field, score } of candidates) {
    if (score === 0 || meanings[column] !== '' || given.has(field)) continue
    meanings[column] = field
    given.add(field)
  }
  return meanings
}

/** The exact name is best; a name with a few other words (“Adresa (oraș)”) also matches. */
function scoreOf(name: string, field: FieldName, own: OwnNames): number {
  const known: readonly string[] = fields[field]
  if (name === '') return 0
  if (own[field].includes(name)) return 2000
  const exact = known.indexOf(name)
  if (exact >= 0) return 1000 - exact
  const inside = known.filter((one) => one.length > 3 && ` ${name} `.includes(` ${one} `))
  return Math.max(0, ...inside.map(({ length }) => length))
}

/** Rows in which column names are looked for: above them may be a title, a date, an address. */
const headerWithin = 30

/**
 * The row with the names of the columns: one whose columns were matched before, else the first with the most names we
 * know. A name must be the whole cell, because cells of other rows contain words such as "strada", too.
 */
export function findHeader(table: readonly string[][], own: OwnNames, store: Store): number {
  const filled = table
    .slice(0, headerWithin)
    .map((cells, index) => ({ index, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  // Below the last row there would be nothing to import.
  const candidates = filled.slice(0, Math.max(1, filled.length - 1))
  const known = new Set(readStore(store).map(([key]) => key))
  const score = ({ cells }: { cells: string[] }) =>
    known.has(keyOf(trimmed(cells))) ? 1000 : new Set(cells.flatMap((cell) => exactField(plain(cell), own) ?? [])).size
  const best = candidates.reduce((one, other) => (score(other) > score(one) ? other : one), candidates[0]!)
  if (best && score(best) >= 2) return best.index
  // Nothing we know: a title stands alone in its row, names of columns do not.
  const wide = candidates.find(({ cells }) => cells.filter(Boolean).length > 1)
  return (score(best) === 1 ? best : (wide ?? candidates[0]))?.index ?? 0
}

const exactField = (name: string, own: OwnNames) =>
  name === ''
    ? undefined
    : fieldNames.find((field) => own[field].includes(name) || (fields[field] as readonly string[]).includes(name))

/** Without the empty cells at the end, which some programs write. */
function trimmed(cells: readonly string[]): readonly string[] {
  const last = cells.findLastIndex((cell) => cell !== '')
  return cells.slice(0, last + 1)
}

/** For an organisation whose AWBs are always generated. */
export const withoutAwb = (mapping: Mapping): Mapping => mapping.map((meaning) => (meaning === 'awb' ? '' : meaning))

/** Whether there is a column for the place, which a new task needs. */
export const hasPlace = (mapping: Mapping) =>
  ['address', 'streetName', 'city'].some((field) => mapping.includes(field as FieldName)) ||
  (mapping.includes('lat') && mapping.includes('lng'))

const storeKey = 'waybill.columns'
const remembered = 30
const keyOf = (headers: readonly string[]) => headers.map(plain).join('|')

type Store = Pick<Storage, 'getItem' | 'setItem'>
const readStore = (store: Store): [string, Mapping][] => {
  try {
    return JSON.parse(store.getItem(storeKey) ?? '[]')
  } catch {
    return []
  }
}

/** The last choice for these columns, else a guess. */
export function recallMapping(headers: readonly string[], own: OwnNames, store: Store): Mapping {
  const known = readStore(store).find(([key]) => key === keyOf(headers))?.[1]
  const isKnown = (meaning: Meaning) => meaning === '' || meaning === 'custom' || Object.hasOwn(fields, meaning)
  return known?.length === headers.length && known.every(isKnown) ? known : guessMapping(headers, own)
}

export function rememberMapping(headers: readonly string[], mapping: Mapping, store: Store) {
  const others = readStore(store).filter(([key]) => key !== keyOf(headers))
  try {
    store.setItem(storeKey, JSON.stringify([[keyOf(headers), mapping], ...others].slice(0, remembered)))
  } catch {
    // The storage is full or forbidden: next time it is guessed again.
  }
}
