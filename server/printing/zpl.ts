import { encode } from 'uqr'
import { modulesOfCode128, quietModules, splitForCode128 } from '../../core/code-128.ts'
import type { Label } from '../threads/paper.ts'

/*
 * Labels in the language of thermal printers, ZPL II: 100 × 150 mm at 203 dots to the inch. The printer breaks lines by
 * itself and writes what is left over the last one, so everything is cut to its place here.
 */

const dots = { width: 800, height: 1_200, edge: 24 }
const inner = dots.width - 2 * dots.edge
const qrWidth = 216
const besideQr = inner - qrWidth - 16

/** At most so many dots: some 4,000 characters in each label. */
export const logoBox = { width: 240, height: 84 }

/** The letters of the printer itself have no ș and ț; this typeface comes with every printer that reads UTF-8. */
const typeface = '^CWT,E:TT0003M_.FNT'
/** One dot is thinner than what a thermal head prints reliably. */
const barDots = { least: 2, most: 4 }
const barHeight = 136

/** With a logo in black dots, as a PBM file, if there is one. */
export function writeZpl(labels: Label[], sender: string, logo: Uint8Array | null): string {
  const picture = logo && readDots(logo)
  return labels.map((label) => `${writeLabel(label, sender, picture).join('\n')}\n`).join('')
}

function writeLabel(
  { from, marks, to, facts, notes, code, withoutBars }: Label,
  sender: string,
  logo: Dots | null,
): string[] {
  const besideLogo = logo ? logo.width + 16 : 0
  const [first = '', ...others] = from
  const afterMarks = marks.length > 0 ? 270 : 214
  return [
    '^XA',
    '^CI28',
    `^PW${dots.width}^LL${dots.height}^LH0,0`,
    typeface,
    ...(logo ? [writeLogo(logo)] : []),
    ...text(sender, {
      top: 24,
      heights: [40, 32, 26, 22],
      lines: 2,
      left: dots.edge + besideLogo,
      width: inner - besideLogo,
    }),
    ...text(first, { top: 116, heights: [28, 24, 20], lines: 1 }),
    ...text(others.join(', '), { top: 150, heights: [24, 20], lines: 2 }),
    line(206),
    ...(marks.length > 0 ? [`^FO${dots.edge},214^GB${inner},48,48^FS`] : []),
    ...text(marks.join(' · '), {
      top: 222,
      heights: [32, 26, 20],
      lines: 1,
      left: dots.edge + 12,
      width: inner - 24,
      isReversed: true,
    }),
    ...text(to.title, { top: afterMarks + 4, heights: [22], lines: 1 }),
    ...text(to.name, { top: afterMarks + 30, heights: [44, 36, 28], lines: 2 }),
    ...text(to.address, { top: afterMarks + 126, heights: [34, 28, 24], lines: 3 }),
    ...text(to.door, { top: afterMarks + 236, heights: [34, 28, 22], lines: 1 }),
    ...text(to.town, { top: afterMarks + 276, heights: [56, 44, 34, 26], lines: 1 }),
    ...text(to.phone, { top: afterMarks + 338, heights: [30, 24], lines: 1 }),
    line(646),
    ...writeFacts(facts, notes, 656),
    ...writeQr(code, dots.width - dots.edge - qrWidth, 662),
    ...writeBars(code, withoutBars, 912),
    ...text(code, { top: 912 + barHeight + 16, heights: [64, 48, 36, 28, 22], lines: 2, isCentred: true }),
    '^XZ',
  ]
}

interface Dots {
  width: number
  bytesOfRow: number
  bits: Buffer
}

/** Null where nothing would be printed: a logo in white. */
function readDots(file: Uint8Array): Dots | null {
  const bytes = Buffer.from(file)
  const [head = '', width] = /^P4\n(\d+) \d+\n/.exec(bytes.subarray(0, 32).toString('latin1')) ?? []
  const bits = bytes.subarray(head.length)
  if (!width || bits.every((byte) => byte === 0)) return null
  return { width: Number(width), bytesOfRow: Math.ceil(Number(width) / 8), bits }
}

/** In hex, as every printer reads it; the short forms of ZPL would save little and are not known to all that speak it. */
const writeLogo = ({ bytesOfRow, bits }: Dots) =>
  `^FO${dots.edge},24^GFA,${bits.length},${bits.length},${bytesOfRow},${bits.toString('hex').toUpperCase()}^FS`

function writeFacts(facts: Label['facts'], notes: string, start: number): string[] {
  const place = { width: besideQr, lines: 1 }
  const rows = facts.flatMap(([title, value], at) => {
    const top = start + (at === 0 ? 0 : 78 + (at - 1) * 58)
    const heights = at === 0 ? [50, 42, 34, 26] : [30, 26, 22]
    return [...text(title, { ...place, top, heights: [20] }), ...text(value, { ...place, top: top + 22, heights })]
  })
  const top = start + 78 + (facts.length - 1) * 58 + 4
  return [...rows, ...text(notes, { top, heights: [22, 20], lines: Math.floor((900 - top) / 24), width: besideQr })]
}

/** `M` corrects a sixth of what is dirty or torn; `A` lets the printer choose how to write the data. */
function writeQr(code: string, left: number, top: number): string[] {
  const { size } = encode(code, { ecc: 'M', border: 0 })
  const scale = Math.max(2, Math.min(9, Math.floor((qrWidth - 16) / size)))
  return [`^FO${left + 8},${top}^BQN,2,${scale}^FH^FDMA,${inHex(code)}^FS`]
}

function writeBars(code: string, withoutBars: string, top: number): string[] {
  const modules = (modulesOfCode128(code) ?? Number.POSITIVE_INFINITY) + 2 * quietModules
  const dotsOfOne = Math.min(barDots.most, Math.floor(dots.width / modules))
  if (dotsOfOne < barDots.least)
    return text(withoutBars, { top: top + 20, heights: [28, 24], lines: 3, isCentred: true })
  const left = Math.round((dots.width - (modules - 2 * quietModules) * dotsOfOne) / 2)
  return [`^FO${left},${top}^BY${dotsOfOne}^BCN,${barHeight},N,N,N,N^FH^FD${barData(code)}^FS`]
}

/** The printer is told which set each part is in, so that its bars are as wide as we reckoned. */
const barData = (code: string) =>
  (splitForCode128(code) ?? [])
    .map(({ set, text }, at) => {
      const into = at === 0 ? { B: '>:', C: '>;' }[set] : { B: '>6', C: '>5' }[set]
      // In bars, > begins a command, and >0 is the character itself.
      return into + inHex(text.replaceAll('>', '>0'))
    })
    .join('')

interface Place {
  top: number
  /** In dots; the first that fits. */
  heights: readonly number[]
  lines: number
  left?: number
  width?: number
  isCentred?: boolean
  isReversed?: boolean
}

function text(
  given: string,
  { top, heights, lines, left = dots.edge, width = inner, isCentred, isReversed }: Place,
): string[] {
  const words = plain(given)
  if (words === '' || lines < 1) return []
  // With the smallest letters there is room for more lines.
  const linesIn = (height: number) => Math.max(lines, Math.floor((lines * (heights[0] ?? height)) / height))
  const height = heights.find((one) => fitted(words, one, width, linesIn(one)) === words) ?? (heights.at(-1) as number)
  const shown = fitted(words, height, width, linesIn(height))
  const block = `^FB${width},${linesIn(height)},0,${isCentred ? 'C' : 'L'},0`
  return [`^FO${left},${top}${isReversed ? '^FR' : ''}^ATN,${height},${height}${block}^FH^FD${inHex(shown)}^FS`]
}

/** As much of a text as fits, with an ellipsis if that is not all. */
function fitted(words: string, height: number, width: number, lines: number): string {
  if (countLines(words, height, width) <= lines) return words
  const characters = [...words]
  let [shown, tooMany] = [0, characters.length]
  while (tooMany - shown > 1) {
    const middle = (shown + tooMany) >> 1
    const part = `${characters.slice(0, middle).join('').trimEnd()}…`
    if (countLines(part, height, width) <= lines) shown = middle
    else tooMany = middle
  }
  return `${characters.slice(0, shown).join('').trimEnd()}…`
}

/** How the printer breaks lines: at spaces, and inside a word that is longer than a line. */
function countLines(words: string, height: number, width: number): number {
  let lines = 1
  let used = 0
  for (const word of words.split(' ')) {
    const needed = widthOf(word, height)
    const space = used > 0 ? widthOf(' ', height) : 0
    if (used + space + needed <= width) used += space + needed
    else {
      lines += (used > 0 ? 1 : 0) + Math.max(0, Math.ceil((needed * 1.04) / width) - 1)
      used = Math.min(width, needed % width || needed)
    }
  }
  return lines
}

/** Rather too wide than too narrow: the letters are the printer's. Those of East Asia and the like are square. */
const widthOf = (text: string, height: number) =>
  [...text].reduce((sum, one) => sum + (shares.find(([kind]) => kind.test(one))?.[1] ?? 1.05), 0) * height
const shares: [RegExp, number][] = [
  [/[ijlI.,:;'|!\-()[\]\s]/, 0.36],
  [/[MWmw@%&—…]/, 0.95],
  [/\p{Lu}/u, 0.74],
  [/[\p{Ll}\d#$+<=>~^_?*"/\\{}·–]/u, 0.6],
]

const plain = (given: string) =>
  given
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cf}\p{Cc}\p{Cs}\p{Co}\p{Cn}]/gu, '')
    .trim()
    .slice(0, 2_000)

const reserved = new Set('^~\\_')
/** With `^FH`, an underscore and two digits are a byte: nothing in a text is a command, whatever reads the file. */
const inHex = (given: string) =>
  [...given].map((one) => (/[ -~]/.test(one) && !reserved.has(one) ? one : hexOf(one))).join('')
const hexOf = (one: string) => [...Buffer.from(one)].map((byte) => `_${byte.toString(16).padStart(2, '0')}`).join('')

const line = (top: number) => `^FO${dots.edge},${top}^GB${inner},3,3^FS`
