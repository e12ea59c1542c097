import { takeTurns } from './turns.ts'
import { type Bytes, openZip } from './zip.ts'

/*
 * The first visible sheet of an .xlsx as text. Written here because what a list of tasks needs is small (shared strings,
 * inline strings, numbers, dates), while the libraries that read every workbook are several hundred kilobytes.
 */

/** Some programs put a prefix before every name: `<x:row>`. */
const tag = (name: string) => new RegExp(`<(?:\\w+:)?${name}\\b([^>]*?)(?:/>|>([\\s\\S]*?)</(?:\\w+:)?${name}>)`, 'g')
const all = (xml: string, name: string) =>
  Array.from(xml.matchAll(tag(name)), ([, attributes = '', inner = '']) => ({ attributes, inner }))
const attribute = (attributes: string, name: string) =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    .exec(attributes)
    ?.slice(1)
    .find((one) => one !== undefined)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plainText = (text: string) =>
  text
    .replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
      name ? (entities[name] ?? whole) : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    // How Excel writes characters that XML cannot hold.
    .replace(/_x([\dA-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

/** The text of a string item: its runs together, without the hints for reading Japanese. */
const textOf = (xml: string) =>
  all(xml.replace(tag('rPh'), ''), 't')
    .map(({ inner }) => plainText(inner))
    .join('')

interface Book {
  strings: string[]
  /** By style number: whether its numbers are days or times of day. */
  isDate: boolean[]
  epoch: number
}

const dayMs = 86_400_000

/** Every row of the first sheet, as many cells as it has, each as a person would type it. */
export async function readXlsx(bytes: Bytes): Promise<string[][]> {
  const zip = openZip(bytes)
  const workbook = await zip.text('xl/workbook.xml')
  if (workbook === undefined) throw new Error('This is not an .xlsx file')
  const shown = all(workbook, 'sheet').filter(({ attributes }) => !attribute(attributes, 'state'))
  const id = attribute(shown[0]?.attributes ?? '', '\\w+:id')
  const links = all((await zip.text('xl/_rels/workbook.xml.rels')) ?? '', 'Relationship')
  const target = links.find(({ attributes }) => attribute(attributes, 'Id') === id)?.attributes
  const path = (target && attribute(target, 'Target')) ?? 'worksheets/sheet1.xml'
  const sheet = await zip.text(path.startsWith('/') ? path.slice(1) : `xl/${path}`)
  if (sheet === undefined) throw new Error('The file has no sheet')
  const is1904 = /date1904\s*=\s*["'](1|true)/.test(workbook)
  const rest = takeTurns()
  const strings: string[] = []
  for (const { inner } of all((await zip.text('xl/sharedStrings.xml')) ?? '', 'si')) {
    strings.push(textOf(inner))
    await rest()
  }
  const book: Book = {
    strings,
    isDate: readStyles((await zip.text('xl/styles.xml')) ?? ''),
    epoch: is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30),
  }
  return readRows(sheet, book, rest)
}

async function readRows(sheet: string, book: Book, rest: () => Promise<void>): Promise<string[][]> {
  const rows: string[][] = []
  for (const [, attributes = '', inner = ''] of sheet.matchAll(tag('row'))) {
    const number = Number(attribute(attributes, 'r') ?? rows.length + 1)
    // Rows without a cell may be left out; a file with one in the last row of Excel must not fill memory.
    const upTo = Math.min(number - 1, rows.length + 1000)
    while (rows.length < upTo) rows.push([])
    rows.push(readRow(inner, book))
    await rest()
  }
  return rows
}

function readRow(xml: string, book: Book): string[] {
  const cells: string[] = []
  for (const [, attributes = '', inner = ''] of xml.matchAll(tag('c'))) {
    const reference = attribute(attributes, 'r')
    const column = reference ? columnOf(reference) : cells.length
    while (cells.length < column) cells.push('')
    cells.push(readCell(attributes, inner, book))
  }
  return cells
}

/** `C7` is the third column: 2. */
const columnOf = (reference: string) =>
  [...reference.replace(/\d+$/, '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

function readCell(attributes: string, inner: string, { strings, isDate, epoch }: Book): string {
  const type = attribute(attributes, 't') ?? 'n'
  if (type === 'inlineStr') return textOf(inner)
  const value = plainText(all(inner, 'v')[0]?.inner ?? '')
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type === 'd') return value.replace('T', ' ').slice(0, 16)
  if (type !== 'n' || value === '') return type === 'e' ? '' : value
  const number = Number(value)
  if (isDate[Number(attribute(attributes, 's') ?? 0)]) return dateText(number, epoch)
  // Excel keeps 15 digits; the binary dust after them is not what was typed.
  return String(Number(number.toPrecision(15)))
}

/** A day, a time of day, or both, to the minute. */
function dateText(serial: number, epoch: number): string {
  const iso = new Date(Math.round((serial * dayMs) / 60_000) * 60_000 + epoch).toISOString()
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 16)]
  if (serial < 1) return time
  return time === '00:00' && Number.isInteger(serial) ? day : `${day} ${time}`
}

/** The formats for days and times that are known by number only. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58 && id !== 48 && id !== 49)

function readStyles(xml: string): boolean[] {
  const own = new Map(
    all(xml, 'numFmt').map(({ attributes }) => [
      Number(attribute(attributes, 'numFmtId')),
      plainText(attribute(attributes, 'formatCode') ?? ''),
    ]),
  )
  const cellStyles = all(xml, 'cellXfs')[0]?.inner ?? ''
  return all(cellStyles, 'xf').map(({ attributes }) => {
    const id = Number(attribute(attributes, 'numFmtId') ?? 0)
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
