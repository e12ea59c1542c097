import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { type Field, findColumns, type OwnPlace, readPlace } from './columns.ts'

/* A file of places, row by row, whatever its size. */

export interface Row {
  line: number
  /** Or what is wrong with it. */
  place: OwnPlace | string
}

const mostLine = 1 << 20

export class UnreadablePlaces extends Error {}

export async function* readFile(
  path: string,
  columns: Partial<Record<Field, string>>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Row> {
  const file = createReadStream(path)
  let bytes = 0
  file.on('data', (chunk) => {
    bytes += chunk.length
    onBytes(bytes)
  })
  const isPacked = /\.gz$/i.test(path)
  const text = isPacked ? file.pipe(createGunzip()) : file
  file.on('error', (error) => text.destroy(error))
  const lines = linesOf(isPacked ? unpack(text) : text)
  const first = await lines.next()
  if (first.done) throw new UnreadablePlaces('The file is empty')
  const head = first.value.replace(/^\uFEFF/, '')
  yield* /^\s*\{/.test(head) ? readGeoJson(head, lines) : readCsv(head, lines, columns)
}

async function* unpack(stream: AsyncIterable<Buffer | string>) {
  try {
    yield* stream
  } catch (error) {
    const isBroken = String((error as NodeJS.ErrnoException).code).startsWith('Z_')
    throw isBroken ? new UnreadablePlaces('The file is not packed as its name says, or its end is missing') : error
  }
}

/** A line break inside quotes belongs to its value. */
async function* linesOf(stream: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch {
      throw new UnreadablePlaces('The file is not text in UTF-8')
    }
  }
  for await (const chunk of stream) {
    const lines = (rest + decode(chunk as Buffer)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > mostLine) throw new UnreadablePlaces('A line of the file is longer than a megabyte')
    for (const line of lines) yield line.replace(/\r$/, '')
  }
  rest += decode()
  if (rest) yield rest
}

/** One feature on each line, as OpenAddresses has them. */
async function* readGeoJson(head: string, lines: AsyncGenerator<string>): AsyncGenerator<Row> {
  let line = 0
  async function* all() {
    yield head
    yield* lines
  }
  for await (const text of all()) {
    line += 1
    if (text.trim()) yield { line, place: readFeature(text) }
  }
}

function readFeature(text: string): OwnPlace | string {
  let feature: { geometry?: { type?: unknown; coordinates?: unknown }; properties?: Record<string, unknown> }
  try {
    feature = JSON.parse(text)
  } catch {
    return 'it is no GeoJSON feature'
  }
  const { geometry, properties = {} } = feature ?? {}
  if (geometry?.type !== 'Point' || !Array.isArray(geometry.coordinates)) return 'it is no point'
  const [lng, lat] = geometry.coordinates
  const { street, number, city, region, district, postcode, country } = properties
  const values: Record<Field, unknown> = {
    street,
    number,
    city,
    area: region || district,
    postalCode: postcode,
    country,
    lat,
    lng,
  }
  return readPlace((field) => values[field])
}

async function* readCsv(
  head: string,
  lines: AsyncGenerator<string>,
  columns: Partial<Record<Field, string>>,
): AsyncGenerator<Row> {
  const separator = [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0] as string
  const header = split(head, separator) ?? []
  const places = findColumns(header, columns)
  let [line, begun, open] = [1, 2, '']
  for await (const text of lines) {
    line += 1
    const whole = open ? `${open}\n${text}` : text
    const values = split(whole, separator)
    if (!values && whole.length < mostLine) {
      open = whole
      continue
    }
    if (values && whole.trim()) {
      const place =
        values.length < header.length
          ? `it has ${values.length} values for ${header.length} columns`
          : readPlace((field) => values[places[field] ?? -1])
      yield { line: begun, place }
    }
    open = ''
    begun = line + 1
  }
  if (open) yield { line: begun, place: 'a quotation mark is not closed' }
}

/** Undefined if a quotation mark is still open. */
function split(line: string, separator: string): string[] | undefined {
  if (!line.includes('"')) return line.split(separator)
  const values: string[] = []
  let [value, isQuoted] = ['', false]
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] as string
    if (isQuoted) {
      if (letter !== '"') value += letter
      else if (line[at + 1] === '"') {
        value += '"'
        at += 1
      } else isQuoted = false
    } else if (letter === '"') isQuoted = true
    else if (letter === separator) {
      values.push(value)
      value = ''
    } else value += letter
  }
  if (isQuoted) return undefined
  return [...values, value]
}
