import {
  awbPattern,
  longest,
  mostLatitude,
  mostLongitude,
  mostServiceMinutes,
  mostWhole,
} from '../../../../contract/limits.ts'
import type { TaskInput } from '../../../../contract/task.ts'
import { fold } from '../../../../core/search.ts'
import { type MoneyProblem, type Reading, readMoney } from '../../../../core/typed-money.ts'
import type { Row, Sheet } from '../../files/read-file.ts'
import { takeTurns } from '../../files/turns.ts'
import { type FieldName, fieldWords, type Mapping } from './columns.ts'
import { readDay, readMoment, readSpan } from './window.ts'
import type { Word } from './words.ts'

/** What is wrong with a row, for `say`; `field` names the column it is about. */
export interface Problem {
  word: Word
  field?: FieldName
  values?: Record<string, string | number>
}

export interface CheckedRow {
  row: Row
  input: TaskInput
  problems: Problem[]
}

interface Named {
  id: number
  name: string
  phone?: string
}
export interface Surroundings {
  /** The day of rows that give only a time, YYYY-MM-DD. */
  day: string
  drivers: readonly Named[]
  teams: readonly Named[]
  forms: readonly Named[]
  /** How amounts are read: the decimals and the currency of the organisation. */
  money: Reading
  /** Whether AWBs can be chosen; else those of the file are not read. */
  hasOwnAwbs: boolean
  /** Whether a task without a driver can have a team. */
  hasTeamsAlone: boolean
}

type Values = Partial<Record<FieldName, string>>

/** Every row as the task it would become, with what is wrong with it. Nothing is sent yet. */
export async function checkRows(
  sheet: Sheet,
  mapping: Mapping,
  around: Surroundings,
  rest = takeTurns(),
): Promise<CheckedRow[]> {
  const checked: CheckedRow[] = []
  const firstWith = new Map<string, number>()
  for (const row of sheet.rows) {
    const one = checkRow(row, sheet.headers, mapping, around)
    const { awb } = one.input
    if (awb) {
      const earlier = firstWith.get(awb)
      if (earlier === undefined) firstWith.set(awb, row.number)
      else one.problems.push(sameAwb(awb, earlier))
    }
    checked.push(one)
    await rest()
  }
  return checked
}

const sameAwb = (awb: string, row: number): Problem => ({
  word: 'rowSameAwb',
  field: 'awb',
  values: { awb, row: String(row) },
})

/**
 * The rows after one of them was edited, by the same rules. Others change only if they have the AWB that it had or has
 * now; those keep their input, so that what is known of it stays true.
 */
export function recheckRow(
  checked: readonly CheckedRow[],
  at: number,
  cells: string[],
  headers: readonly string[],
  mapping: Mapping,
  around: Surroundings,
): CheckedRow[] {
  const before = checked[at] as CheckedRow
  const edited = checkRow({ number: before.row.number, cells }, headers, mapping, around)
  const after = checked.with(at, edited)
  const firstWith = new Map<string, number>()
  const concerned = new Set([before.input.awb, edited.input.awb].filter(Boolean))
  for (const [index, one] of after.entries()) {
    const { awb } = one.input
    if (!awb || !concerned.has(awb)) continue
    const others = one.problems.filter(({ word }) => word !== 'rowSameAwb')
    const earlier = firstWith.get(awb)
    if (earlier === undefined) firstWith.set(awb, one.row.number)
    if (earlier !== undefined || others.length < one.problems.length)
      after[index] = { ...one, problems: earlier === undefined ? others : [...others, sameAwb(awb, earlier)] }
  }
  return after
}

/** If no column has the field of a problem, these may have what it is about. */
const standIns: Partial<Record<FieldName, readonly FieldName[]>> = {
  address: ['streetName', 'city', 'lat', 'lng'],
  lat: ['lng'],
  lng: ['lat'],
  completeBefore: ['window', 'completeAfter', 'day'],
}

/** The columns to edit, so that the problems of a row go away; all of them if it cannot be told. */
export function columnsToFix(problems: readonly Problem[], mapping: Mapping): number[] {
  const columnOf = (field: FieldName) => mapping.indexOf(field)
  const columns = problems.flatMap(({ field, word }) => {
    if (!field) return []
    const fields = word === 'rowBadPosition' ? (['lat', 'lng'] as const) : [field]
    const own = fields.map(columnOf).filter((column) => column >= 0)
    if (word === 'rowWindowBackwards') own.unshift(...[columnOf('completeAfter')].filter((column) => column >= 0))
    if (own.length > 0) return own
    const instead = (standIns[field] ?? []).map(columnOf).find((column) => column >= 0)
    return instead === undefined ? [] : [instead]
  })
  const all = mapping.flatMap((meaning, column) => (meaning === '' ? [] : [column]))
  return columns.length > 0 ? [...new Set(columns)].sort((one, other) => one - other) : all
}

export function checkRow(row: Row, headers: readonly string[], mapping: Mapping, around: Surroundings): CheckedRow {
  const problems: Problem[] = []
  const values: Values = {}
  const customFields: { key: string; value: string }[] = []
  for (const [column, meaning] of mapping.entries()) {
    const cell = row.cells[column] ?? ''
    if (cell === '' || meaning === '' || (meaning === 'awb' && !around.hasOwnAwbs)) continue
    if (meaning === 'custom')
      customFields.push({ key: headers[column]?.slice(0, longest.name) || String(column + 1), value: cell })
    else values[meaning] = cell
  }
  const input: TaskInput = {
    address: readAddress(values, problems),
    ...readCustomer(values),
    ...readTexts(values, problems),
    ...readNumbers(values, problems),
    ...readPrices(values, around.money, problems),
    ...readWindow(values, around.day, problems),
    ...readNames(values, around, problems),
    ...(customFields.length > 0 && { customFields }),
  }
  return { row, input, problems }
}

const texts = ['address', 'addressSecondLine', 'streetName', 'streetNumber', 'city', 'area', 'postalCode'] as const
const longestOf: Partial<Record<FieldName, number>> = {
  address: longest.addressLine,
  addressSecondLine: longest.addressLine,
  streetName: longest.name,
  streetNumber: longest.streetNumber,
  city: longest.name,
  area: longest.name,
  postalCode: longest.postalCode,
  details: longest.text,
  customerNotes: longest.text,
  customerName: longest.name,
  customerPhone: longest.phone,
  customerEmail: longest.email,
}

function readAddress(values: Values, problems: Problem[]): TaskInput['address'] {
  const address: TaskInput['address'] = {}
  for (const field of texts) if (values[field]) address[field] = values[field]
  if (values.country) {
    if (/^[A-Za-z]{2}$/.test(values.country)) address.country = values.country.toUpperCase()
    else problems.push({ word: 'rowBadCountry', field: 'country', values: { value: values.country } })
  }
  const [lat, lng] = [readDegrees(values.lat, mostLatitude), readDegrees(values.lng, mostLongitude)]
  if (lat !== undefined && lng !== undefined) Object.assign(address, { lat, lng })
  else if (values.lat || values.lng)
    problems.push({ word: 'rowBadPosition', field: values.lat && lat !== undefined ? 'lng' : 'lat' })
  const isNowhere = !values.address && !values.streetName && !values.city && !values.lat
  if (isNowhere) problems.push({ word: 'rowNoAddress', field: 'address' })
  for (const [field, max] of Object.entries(longestOf) as [FieldName, number][])
    if ((values[field]?.length ?? 0) > max) problems.push({ word: 'rowTooLong', field, values: { n: max } })
  return address
}

function readDegrees(text: string | undefined, limit: number): number | undefined {
  const degrees = Number(text?.replace(',', '.') || Number.NaN)
  return Math.abs(degrees) <= limit ? degrees : undefined
}

function readCustomer({ customerName, customerPhone, customerEmail }: Values): Pick<TaskInput, 'customer'> {
  if (!customerName && !customerPhone && !customerEmail) return {}
  return {
    customer: {
      ...(customerName && { name: customerName }),
      ...(customerPhone && { phone: customerPhone }),
      ...(customerEmail && { email: customerEmail }),
    },
  }
}

const awbForm = new RegExp(awbPattern, 'u')
const yes = /^(1|true|yes|y|da|d|x|✓|pickup|ridicare)$/i
const no = /^(0|false|no|n|nu|-|delivery|livrare)$/i

function readTexts({ awb, details, customerNotes, pickupTask }: Values, problems: Problem[]): Partial<TaskInput> {
  if (awb && !awbForm.test(awb)) problems.push({ word: 'rowBadAwb', field: 'awb' })
  if (pickupTask && !yes.test(pickupTask) && !no.test(pickupTask))
    problems.push({ word: 'rowBadYes', field: 'pickupTask', values: { value: pickupTask } })
  return {
    ...(awb && { awb }),
    ...(details && { details }),
    ...(customerNotes && { customerNotes }),
    ...(pickupTask && { pickupTask: yes.test(pickupTask) }),
  }
}

const priceProblems = {
  fraction: 'rowDecimalsOff',
  tooFine: 'rowTooManyDecimals',
  otherCurrency: 'rowOtherCurrency',
  unreadable: 'rowBadAmount',
} as const satisfies Record<MoneyProblem, Word>

function readPrices(values: Values, money: Reading, problems: Problem[]): Partial<TaskInput> {
  const read: Partial<Record<'totalPrice' | 'deliveryPrice', number>> = {}
  for (const field of ['totalPrice', 'deliveryPrice'] as const) {
    const value = values[field]
    if (!value) continue
    const amount = readMoney(value, money)
    if (typeof amount === 'string') problems.push({ word: priceProblems[amount], field, values: { value } })
    else if (amount < 0 || amount > mostWhole) problems.push({ word: 'rowBadAmount', field, values: { value } })
    else read[field] = amount
  }
  return read
}

const numbers = {
  quantity: mostWhole,
  priority: mostWhole,
  serviceTime: mostServiceMinutes,
} as const

function readNumbers(values: Values, problems: Problem[]): Partial<TaskInput> {
  const read: Partial<Record<keyof typeof numbers, number>> = {}
  for (const [field, max] of Object.entries(numbers) as [keyof typeof numbers, number][]) {
    const text = values[field]
    if (!text) continue
    const number = readWhole(text)
    if (number !== undefined && number <= max) read[field] = number
    else problems.push({ word: 'rowBadNumber', field, values: { value: text } })
  }
  return read
}

/** 1234, 1 234, 1.234, 3 buc, 5 min. A fraction is refused, not rounded. */
export function readWhole(text: string): number | undefined {
  const digits = text.replace(/[\s\u00a0\u202f]/g, '').replace(/(min|buc)\.?$/i, '')
  const whole = digits.replace(/[.,]0{1,2}$/, '').replace(/[.,](?=\d{3}(?:\D|$))/g, '')
  return /^\d+$/.test(whole) ? Number(whole) : undefined
}

function readWindow(values: Values, usualDay: string, problems: Problem[]): Partial<TaskInput> {
  const given = values.day && (readDay(values.day) ?? readDay(values.day.split(/[ T]/)[0]!))
  if (values.day && !given) problems.push({ word: 'rowBadDay', field: 'day', values: { value: values.day } })
  const day = given || usualDay
  const span = values.window ? readSpan(values.window, day) : undefined
  if (values.window && !span) problems.push({ word: 'rowBadWindow', field: 'window', values: { value: values.window } })
  const moment = (field: 'completeAfter' | 'completeBefore', dayOnly: '00:00' | '23:59') => {
    const text = values[field]
    if (!text) return undefined
    const read = readMoment(text, day, dayOnly)
    if (!read) problems.push({ word: 'rowBadTime', field, values: { value: text } })
    return read
  }
  const isWholeDay = given && !values.window && !values.completeAfter && !values.completeBefore
  const after = moment('completeAfter', '00:00') ?? span?.after ?? (isWholeDay ? `${day} 00:00` : undefined)
  const before = moment('completeBefore', '23:59') ?? span?.before ?? (isWholeDay ? `${day} 23:59` : undefined)
  // Local times can be compared as text; times with an offset are compared by the server.
  if (after && before && !after.includes('T') && !before.includes('T') && after > before)
    problems.push({ word: 'rowWindowBackwards', field: 'completeBefore' })
  return { ...(after && { completeAfter: after }), ...(before && { completeBefore: before }) }
}

const digitsOf = (text: string) => text.replace(/\D/g, '').slice(-9)

function readNames({ driver, team, form }: Values, around: Surroundings, problems: Problem[]): Partial<TaskInput> {
  const find = (text: string | undefined, among: readonly Named[], field: 'driver' | 'team' | 'form') => {
    if (!text) return undefined
    const found = among.filter(
      ({ name, phone }) =>
        fold(name).trim() === fold(text).trim() ||
        (phone && digitsOf(text).length === 9 && digitsOf(phone) === digitsOf(text)),
    )
    if (found.length === 1) return found[0]?.id
    const word = found.length > 1 ? 'rowSeveralNamed' : 'rowNobodyNamed'
    problems.push({ word, field, values: { value: text } })
    return undefined
  }
  const userId = find(driver, around.drivers, 'driver')
  const teamId = find(team, around.teams, 'team')
  const formId = find(form, around.forms, 'form')
  if (teamId && !driver && !around.hasTeamsAlone)
    problems.push({ word: 'rowTeamAlone', field: 'team', values: { value: team ?? '' } })
  return { ...(userId && { userId }), ...(teamId && { teamId }), ...(formId && { formId }) }
}

/** A problem as one sentence that names the column. */
export const problemSentence = (
  { word, field, values }: Problem,
  say: (word: Word, values?: Record<string, string | number>) => string,
) => say(word, { ...values, ...(field && { field: say(fieldWords[field]) }) })
