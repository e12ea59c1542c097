import { isUnclear } from '../../../core/typed-money.ts'
import { takeTurns } from './turns.ts'
import { attributeOf, type Element, elementsOf } from './xml.ts'
import { type Bytes, openZip } from './zip.ts'

/* The first visible sheet of an .xlsx as text. docs/decisions/0018 says why this is no library. */

/** How Excel writes characters that XML cannot hold. */
const decode = (text: string) =>
  text.replace(/_x([\dA-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

/** The text of a string: its runs together, without the hints for reading Japanese. */
const textOf = ({ children }: Element): string =>
  children
    .filter(({ name }) => name !== 'rPh')
    .map((child) => (child.name === 't' ? decode(child.text) : textOf(child)))
    .join('')

interface Book {
  strings: string[]
  /** By style number: whether its numbers are days or times of day. */
  isDate: boolean[]
  epoch: number
}

const dayMs = 86_400_000

/** Every row of the first visible sheet, each cell as a person would type it. */
export async function readXlsx(bytes: Bytes): Promise<string[][]> {
  const zip = openZip(bytes)
  const workbook = await zip.text('xl/workbook.xml')
  if (workbook === undefined) throw new Error('This is not an .xlsx file')
  const links = [...elementsOf((await zip.text('xl/_rels/workbook.xml.rels')) ?? '', 'Relationship')]
  const part = (otherwise: string, is: (link: Element) => boolean | undefined) => {
    const link = links.find(is)
    const path = (link && attributeOf(link, 'Target')) ?? otherwise
    return zip.text(path.startsWith('/') ? path.slice(1) : `xl/${path}`)
  }
  const partOfType = (type: string) => part(`${type}.xml`, (link) => attributeOf(link, 'Type')?.endsWith(`/${type}`))

  const shown = [...elementsOf(workbook, 'sheet')].find((sheet) => !/hidden/i.test(attributeOf(sheet, 'state') ?? ''))
  const id = shown && attributeOf(shown, '\\w+:id')
  const sheet = await part('worksheets/sheet1.xml', (link) => attributeOf(link, 'Id') === id)
  if (sheet === undefined) throw new Error('The file has no sheet')
  const rest = takeTurns()
  const strings: string[] = []
  for (const string of elementsOf((await partOfType('sharedStrings')) ?? '', 'si')) {
    strings.push(textOf(string))
    await rest()
  }
  const [properties] = elementsOf(workbook, 'workbookPr')
  const is1904 = /^(1|true)$/.test((properties && attributeOf(properties, 'date1904')) ?? '')
  const book: Book = {
    strings,
    isDate: readStyles((await partOfType('styles')) ?? ''),
    epoch: is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30),
  }
  return readRows(sheet, book, rest)
}

async function readRows(sheet: string, book: Book, rest: () => Promise<void>): Promise<string[][]> {
  const rows: string[][] = []
  for (const row of elementsOf(sheet, 'row')) {
    const number = Number(attributeOf(row, 'r') ?? rows.length + 1)
    // Rows without a cell may be left out; a file with one in the last row of Excel must not fill memory.
    const upTo = Math.min(number - 1, rows.length + 1000)
    while (rows.length < upTo) rows.push([])
    rows.push(readRow(row, book))
    await rest()
  }
  return rows
}

function readRow({ children }: Element, book: Book): string[] {
  const cells: string[] = []
  for (const cell of children.filter(({ name }) => name === 'c')) {
    const reference = attributeOf(cell, 'r')
    const column = reference ? columnOf(reference) : cells.length
    while (cells.length < column) cells.push('')
    cells.push(readCell(cell, book))
  }
  return cells
}

/** `C7` is the third column: 2. */
const columnOf = (reference: string) =>
  [...reference.replace(/\d+$/, '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

function readCell(cell: Element, { strings, isDate, epoch }: Book): string {
  const type = attributeOf(cell, 't') ?? 'n'
  if (type === 'inlineStr') return textOf(cell)
  const value = decode(cell.children.find(({ name }) => name === 'v')?.text ?? '')
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type === 'd') return value.replace('T', ' ').slice(0, 16)
  if (type !== 'n' || value === '') return type === 'e' ? '' : value
  const number = Number(value)
  if (isDate[Number(attributeOf(cell, 's') ?? 0)]) return dateText(number, epoch)
  // Excel keeps 15 digits; the rest is rounding error.
  const text = String(Number(number.toPrecision(15)))
  // People write thousands like that (1.234); here it is certainly a fraction, and must stay one.
  return isUnclear(text) ? `${text}0` : text
}

/** A day, a time of day, or both, to the minute. */
function dateText(serial: number, epoch: number): string {
  const iso = new Date(Math.round((serial * dayMs) / 60_000) * 60_000 + epoch).toISOString()
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 16)]
  if (serial < 1) return time
  return time === '00:00' && Number.isInteger(serial) ? day : `${day} ${time}`
}

/** The built-in formats for days and times, which have only a number. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58 && id !== 48 && id !== 49)

function readStyles(xml: string): boolean[] {
  const own = new Map(
    Array.from(elementsOf(xml, 'numFmt'), (format) => [
      Number(attributeOf(format, 'numFmtId')),
      attributeOf(format, 'formatCode') ?? '',
    ]),
  )
  const [cellStyles] = elementsOf(xml, 'cellXfs')
  return (cellStyles?.children ?? []).map((style) => {
    const id = Number(attributeOf(style, 'numFmtId') ?? 0)
    const code = own.get(id)
    // Letters in quotes, colours and escapes do not count: `0 "days"` is a number.
    return code === undefined
      ? isBuiltInDate(id)
      : /[dmyhs]/i.test(
          code
            .replace(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, '')
            .split(';')[0]!
            .replace(/general/i, ''),
        )
  })
}
