import { type Bytes, makeZip } from './zip.ts'

/** A day and time in the organisation's time zone: `2026-11-15 09:30:00`. */
export interface WallTime {
  wall: string
}
export type Value = string | number | WallTime | null

const xmlText = (text: string) =>
  text
    .replace(/[&<>"]/g, (character) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[character]};`)
    // Excel writes characters that XML cannot hold by number, and escapes text that only looks like that.
    .replace(/_(?=x[\dA-F]{4}_)/gi, '_x005F_')
    .replace(/\p{Cc}/gu, (character) =>
      character < ' ' && !'\t\n\r'.includes(character)
        ? `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
        : character,
    )

/** 0 is A, 26 is AA. */
function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter
}

/** Days since the end of 1899, by which spreadsheets count. */
const serialOf = ({ wall }: WallTime) =>
  (Date.parse(`${wall.replace(' ', 'T')}Z`) - Date.UTC(1899, 11, 30)) / 86_400_000

function cellOf(value: Value, reference: string, style: number): string {
  if (value === null || value === '') return ''
  if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`
  if (typeof value === 'object') return `<c r="${reference}" s="2"><v>${serialOf(value)}</v></c>`
  // A cell holds 32,767 characters; more make the whole file unreadable.
  const text = xmlText(value.slice(0, 32_000))
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const contentTypes = `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`
const links = (list: [kind: string, target: string][]) =>
  `${declaration}<Relationships xmlns="${packages}/relationships">${list
    .map(([kind, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`
/** Plain, bold for column names, and days with times. */
const styles = `${declaration}<styleSheet ${main}><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`

/** One sheet with a bold, fixed first row that filters. The same content makes the same file. */
export async function writeXlsx(
  name: string,
  headers: readonly string[],
  rows: readonly (readonly Value[])[],
): Promise<Bytes> {
  const line = (cells: readonly Value[], row: number, style: number) =>
    `<row r="${row}">${cells.map((cell, column) => cellOf(cell, `${columnName(column)}${row}`, style)).join('')}</row>`
  const range = `A1:${columnName(Math.max(0, headers.length - 1))}${rows.length + 1}`
  const widths = headers.map((header, column) => {
    const widest = rows.slice(0, 200).reduce((most, cells) => Math.max(most, lengthOf(cells[column])), header.length)
    return `<col min="${column + 1}" max="${column + 1}" width="${Math.min(50, widest + 3)}" customWidth="1"/>`
  })
  const sheet = `${declaration}<worksheet ${main}><dimension ref="${range}"/><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${line(headers, 1, 1)}${rows
    .map((cells, index) => line(cells, index + 2, 0))
    .join('')}</sheetData><autoFilter ref="${range}"/></worksheet>`
  // 31 characters, and none of those that formulas use.
  const title = xmlText(name.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31))
  const workbook = `${declaration}<workbook ${main} xmlns:r="${office}"><sheets><sheet name="${title}" sheetId="1" r:id="rId1"/></sheets></workbook>`
  return makeZip([
    { name: '[Content_Types].xml', text: contentTypes },
    { name: '_rels/.rels', text: links([['officeDocument', 'xl/workbook.xml']]) },
    { name: 'xl/workbook.xml', text: workbook },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: links([
        ['worksheet', 'worksheets/sheet1.xml'],
        ['styles', 'styles.xml'],
      ]),
    },
    { name: 'xl/styles.xml', text: styles },
    { name: 'xl/worksheets/sheet1.xml', text: sheet },
  ])
}

const lengthOf = (value: Value | undefined) => (value && typeof value === 'object' ? 16 : String(value ?? '').length)
