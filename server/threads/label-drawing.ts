import type PDFDocument from 'pdfkit'
import { encode } from 'uqr'
import { encodeCode128, quietModules } from '../../core/code-128.ts'
import { printable } from './letters.ts'
import type { Label, LabelPaper } from './paper.ts'

/* Labels for parcels, 105 × 148 mm each: what matters is large, and nothing ever lies over something else. */

export type Pdf = typeof PDFDocument.prototype
export type Image = PDFKit.Mixins.ImageSrc & { width: number; height: number }

const millimetre = 72 / 25.4
const label = { width: 105 * millimetre, height: 148 * millimetre }
const edge = 5 * millimetre
const inner = label.width - 2 * edge
const qrSize = 27 * millimetre
const besideQr = inner - qrSize - 3 * millimetre

/**
 * How wide the thinnest bar is. Below 0.19 mm (7.5 mil) the scanner of a phone no longer reads what an office printer
 * prints; above half a millimetre the bars only get longer than a scanner's view.
 */
const barWidth = { least: 0.19 * millimetre, most: 0.5 * millimetre }
const barHeight = 16 * millimetre

const logoBox = { width: 30 * millimetre, height: 9 * millimetre }
const ink = '#000000'
const cutLine = '#9aa1ac'

export async function drawLabels(
  pdf: Pdf,
  { labels, perPage, sender }: LabelPaper,
  logo: Image | null,
  atEndOfPage: () => Promise<void>,
) {
  for (const [at, one] of labels.entries()) {
    const place = at % perPage
    if (place === 0) {
      if (at > 0) await atEndOfPage()
      pdf.addPage()
      if (perPage === 4) drawCuts(pdf)
    }
    pdf.save().translate((place % 2) * label.width, Math.floor(place / 2) * label.height)
    drawLabel(pdf, one, sender.name, logo)
    pdf.restore()
  }
}

function drawCuts(pdf: Pdf) {
  const { width, height } = pdf.page
  pdf.lineWidth(0.4).strokeColor(cutLine).dash(3, { space: 4 })
  pdf.moveTo(label.width, 0).lineTo(label.width, height).stroke()
  pdf.moveTo(0, label.height).lineTo(width, label.height).stroke().undash()
}

/** From top to bottom, each part in a place of its own. */
function drawLabel(
  pdf: Pdf,
  { from, marks, to, facts, notes, code, withoutBars }: Label,
  name: string,
  logo: Image | null,
) {
  drawHead(pdf, from, name, logo)
  let top = 26 * millimetre
  if (marks.length > 0) {
    pdf.rect(edge, top, inner, 6 * millimetre).fill(ink)
    write(pdf, marks.join(' · '), {
      font: 'bold',
      sizes: [11, 9, 7, 6],
      top: top + 1.8,
      height: 15,
      left: edge + 6,
      width: inner - 12,
      colour: '#ffffff',
    })
    top += 7 * millimetre
  }
  const recipientEnd = 78 * millimetre
  drawRecipient(pdf, to, top, recipientEnd)
  rule(pdf, recipientEnd)
  drawFacts(pdf, facts, notes, recipientEnd + 2 * millimetre)
  drawQr(pdf, code, label.width - edge - qrSize, recipientEnd + 2.5 * millimetre)
  drawCode(pdf, code, withoutBars, 114 * millimetre)
}

function drawHead(pdf: Pdf, from: string[], name: string, logo: Image | null) {
  const scale = logo ? Math.min(logoBox.width / logo.width, logoBox.height / logo.height) : 0
  const besideLogo = logo ? logo.width * scale + 8 : 0
  if (logo) pdf.image(logo, edge, edge, { scale })
  const box = { left: edge + besideLogo, width: inner - besideLogo }
  write(pdf, name, { font: 'bold', sizes: [12, 10, 8, 7], top: edge, height: logoBox.height, ...box })
  const [first = '', ...others] = from
  write(pdf, first, { font: 'bold', sizes: [8, 7, 6], top: 15 * millimetre, height: 11 })
  write(pdf, others.join(', '), { sizes: [7.5, 6.5, 6], top: 19 * millimetre, height: 17 })
  rule(pdf, 25.5 * millimetre)
}

/** The town at the bottom in large letters, as sorters read it; the rest gets what is left. */
function drawRecipient(pdf: Pdf, { title, name, address, door, town, phone }: Label['to'], start: number, end: number) {
  write(pdf, title, { sizes: [7], top: start + 1, height: 10 })
  write(pdf, name, { font: 'bold', sizes: [15, 13, 11, 9], top: start + 11, height: 25 })
  const phoneTop = end - 15
  const townTop = phoneTop - 28
  const addressTop = start + 38
  const addressHeight = townTop - addressTop - (door ? 15 : 2)
  write(pdf, address, { sizes: [12, 11, 10, 9, 8, 7], top: addressTop, height: addressHeight })
  write(pdf, door, { font: 'bold', sizes: [11, 9, 8, 7], top: townTop - 15, height: 15 })
  write(pdf, town, { font: 'bold', sizes: [20, 17, 14, 11, 9], top: townTop, height: 28 })
  write(pdf, phone, { sizes: [10, 9, 8], top: phoneTop, height: 14 })
}

/** Beside the QR code: the first is what a driver must not overlook. */
function drawFacts(pdf: Pdf, facts: Label['facts'], notes: string, start: number) {
  let top = start
  facts.forEach(([title, value], at) => {
    const isFirst = at === 0
    write(pdf, title, { sizes: [6.5], top, height: 9, width: besideQr })
    const sizes = isFirst ? [16, 14, 12, 10, 8] : [10, 9, 8, 7]
    const height = isFirst ? 23 : 14.5
    write(pdf, value, { font: 'bold', sizes, top: top + 8, height, width: besideQr })
    top += height + 8
  })
  write(pdf, notes, { sizes: [8, 7, 6.5], top: top + 2, height: 113 * millimetre - top - 3, width: besideQr })
}

function drawQr(pdf: Pdf, code: string, left: number, top: number) {
  const { data, size } = encode(code, { ecc: 'M', border: 0 })
  const module = qrSize / (size + 4)
  data.forEach((row, y) => {
    row.forEach((isDark, x) => {
      if (isDark) pdf.rect(left + (x + 2) * module, top + (y + 2) * module, module, module)
    })
  })
  pdf.fill(ink)
}

function drawCode(pdf: Pdf, code: string, withoutBars: string, top: number) {
  const widths = encodeCode128(code)
  const modules = (widths ?? []).reduce((sum, width) => sum + width, 2 * quietModules)
  // The edge of the label is quiet too.
  const module = Math.min(barWidth.most, (label.width - edge) / modules)
  if (widths && module >= barWidth.least) {
    let left = (label.width - modules * module) / 2 + quietModules * module
    widths.forEach((width, at) => {
      if (at % 2 === 0) pdf.rect(left, top, width * module, barHeight)
      left += width * module
    })
    pdf.fill(ink)
  } else write(pdf, withoutBars, { sizes: [9, 8, 7], top: top + 4, height: barHeight - 8, align: 'center' })
  const text = { font: 'bold', sizes: [22, 18, 15, 12, 10, 8, 7], height: 28, align: 'center' } as const
  write(pdf, code, { ...text, top: top + barHeight + 3 })
}

interface Place {
  font?: 'regular' | 'bold'
  /** The first that fits; the last one is cut where it does not. */
  sizes: readonly number[]
  top: number
  height: number
  left?: number
  width?: number
  align?: 'left' | 'center'
  colour?: string
}

function write(pdf: Pdf, text: string, place: Place) {
  const { font = 'regular', sizes, top, height, left = edge, width = inner, align = 'left', colour = ink } = place
  const words = printable(text)
  if (!words) return
  const fits = (size: number) => {
    pdf.font(font).fontSize(size)
    return pdf.heightOfString(words, { width, lineGap }) <= height + tolerance
  }
  const size = sizes.find(fits) ?? (sizes.at(-1) as number)
  pdf.font(font).fontSize(size).fillColor(colour)
  // With a height, what does not fit is cut and gets an ellipsis; a place for one line holds one in any size.
  const room = Math.max(height, pdf.currentLineHeight(true)) + tolerance
  pdf.text(words, left, top, { width, height: room, align, lineGap, ellipsis: true })
}

/** Lines of the typeface stand far apart. */
const lineGap = -1.5
const tolerance = 0.5

const rule = (pdf: Pdf, y: number) =>
  pdf
    .moveTo(edge, y)
    .lineTo(label.width - edge, y)
    .lineWidth(0.8)
    .strokeColor(ink)
    .stroke()
