import { unguard } from '../../../core/csv.ts'
import { takeTurns } from './turns.ts'
import type { Bytes } from './zip.ts'

/** The text of a file in the encodings of spreadsheets: UTF-8, UTF-16, and Windows-1250 for Central Europe. */
export function decodeText(bytes: Bytes): string {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8').decode(bytes)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const silent = silentHalf(bytes)
  if (silent) return new TextDecoder(silent).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1250').decode(bytes)
  }
}

/** UTF-16 without a mark: every other byte of Latin text is zero. */
function silentHalf(bytes: Bytes): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, 1000)
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]! += 1
  if (zeros[1]! > sample.length / 4) return 'utf-16le'
  return zeros[0]! > sample.length / 4 ? 'utf-16be' : undefined
}

const delimiters = [',', ';', '\t', '|'] as const

/** The separator: the one that splits most of the first rows into the most columns; titles above them have only one. */
export function sniffDelimiter(text: string): string {
  const declared = /^sep=(.)\r?\n/i.exec(text)?.[1]
  if (declared) return declared
  const scores = delimiters.map((delimiter) => {
    const rows = [...take(parseRows(text, delimiter), 20)].filter((cells) => cells.some(Boolean))
    const columns = mostCommon(rows.map(({ length }) => length).filter((length) => length > 1))
    const alike = rows.filter(({ length }) => length === columns).length / Math.max(1, rows.length)
    return columns > 1 ? columns * alike ** 2 : 0
  })
  return delimiters[scores.indexOf(Math.max(...scores))] as string
}

/** Of several the one that came first. */
const mostCommon = (numbers: number[]) =>
  [...Map.groupBy(numbers, (number) => number).values()].reduce(
    (most, same) => (same.length > most.length ? same : most),
    [],
  )[0] ?? 0

function* take<Value>(values: Iterable<Value>, count: number) {
  let left = count
  for (const value of values) {
    if (left <= 0) return
    left -= 1
    yield value
  }
}

/** The rows of a text as RFC 4180 has them, and as real files do: any line end, a quote left open, spaces around. */
export function* parseRows(text: string, delimiter: string): Generator<string[]> {
  let cells: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      at += 1
      for (;;) {
        const quote = text.indexOf('"', at)
        const end = quote < 0 ? text.length : quote
        cell += text.slice(at, end)
        at = end + 1
        if (text[at] !== '"' || quote < 0) break
        cell += '"'
        at += 1
      }
    }
    const start = at
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at += 1
    cells.push((cell + text.slice(start, at)).trim())
    if (text[at] === delimiter) {
      at += 1
      // A delimiter at the very end opens one more, empty cell.
      if (at === text.length) cells.push('')
      if (at < text.length) continue
    } else if (text[at] === '\r' && text[at + 1] === '\n') at += 2
    else at += 1
    yield cells
    cells = []
  }
}

export async function readCsv(bytes: Bytes, rest = takeTurns()): Promise<string[][]> {
  const text = decodeText(bytes).replace(/^\uFEFF/, '')
  const delimiter = sniffDelimiter(text)
  const rows: string[][] = []
  for (const cells of parseRows(text.replace(/^sep=.\r?\n/i, ''), delimiter)) {
    rows.push(cells.map(unguard))
    await rest()
  }
  return rows
}
