import { readFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'

/* The typeface of our papers, and what of a text it can show. */

const read = (name: string) => readFileSync(new URL(`./fonts/${name}.ttf`, import.meta.url))
export const fonts = { regular: read('open-sans-regular'), bold: read('open-sans-bold') }

const longestValue = 600

/** What the typeface has: European scripts and Hebrew. */
const known = knownCharacters()
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Sets the direction or joins what stands beside it; alone it shows nothing, or turns the rest of the line around. */
const invisible = /[\p{Cf}\p{Cc}\p{Cs}\p{Co}\p{Cn}]/gu

/** Text that can be drawn, not longer than its place: what the typeface lacks is shown as one replacement character. */
export function printable(text: string, longest = longestValue): string {
  const whole = [
    ...characters.segment(
      text
        .normalize('NFC')
        .replace(/\s+/g, ' ')
        .slice(0, 4 * longest),
    ),
  ]
  const shown = whole.slice(0, longest).map(({ segment }) => {
    const visible = segment.replace(invisible, '')
    return [...visible].every((one) => known.has(one.codePointAt(0) as number)) ? visible : '\ufffd'
  })
  return shown.join('').trim() + (whole.length > longest ? '…' : '')
}

function knownCharacters(): Set<number> {
  const pdf = new PDFDocument({ autoFirstPage: false })
  pdf.registerFont('regular', fonts.regular).font('regular')
  const { font } = (pdf as unknown as { _font: { font: { characterSet: number[] } } })._font
  return new Set(font.characterSet)
}
