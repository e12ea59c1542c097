import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import PDFDocument from 'pdfkit'
import { drawLabels, type Image, type Pdf } from './label-drawing.ts'
import { fonts, printable } from './letters.ts'
import type { Fact, LabelPaper, ListSheet, Paper, PrintedPicture, RecordSheet, Sheet } from './paper.ts'
import type { Outcome } from './pool.ts'

/* One thread that draws papers as PDF, one after the other, each into a file. */

export interface DrawJob {
  paper: Paper | LabelPaper
  path: string
}

const ink = { text: '#111827', quiet: '#5b6472', line: '#d5d9e0', good: '#0f6b3a', bad: '#a32020', empty: '#f1f3f6' }
const margin = 48
const gap = 16
/** For the line at the foot of a page. */
const footHeight = 24
const labelWidth = 140
const photoHeight = 190
const signatureHeight = 100

async function draw({ paper, path }: DrawJob) {
  const { title, language, sender } = paper
  const pdf = new PDFDocument({
    size: 'labels' in paper && paper.perPage === 1 ? 'A6' : 'A4',
    margins: 'labels' in paper ? none : { top: margin, left: margin, right: margin, bottom: margin + footHeight },
    layout: 'sheets' in paper && paper.isLandscape ? 'landscape' : 'portrait',
    autoFirstPage: false,
    // Only what says on each page how many there are has to keep them.
    bufferPages: !('labels' in paper),
    lang: language,
    displayTitle: true,
    info: { Title: title, Author: sender.name, Creator: 'Waybill' },
  })
  pdf.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold)
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const written = finished(pdf.pipe(file))
  written.catch(() => {})
  const atEndOfPage = () => writeOut(pdf, file)
  try {
    const logo = sender.logo && imageOf(pdf, sender.logo)
    if ('labels' in paper) await drawLabels(pdf, paper, logo, atEndOfPage)
    else await drawSheets(pdf, paper, logo, atEndOfPage)
    pdf.end()
    await written
  } finally {
    file.destroy()
  }
}

const none = { top: 0, left: 0, right: 0, bottom: 0 }

async function drawSheets(pdf: Pdf, { sheets, sender, foot }: Paper, logo: Image | null, atEnd: () => Promise<void>) {
  for (const sheet of sheets) {
    drawSheet(pdf, sheet, sender.name, logo)
    await atEnd()
  }
  drawFeet(pdf, foot)
}

/** What one sheet shows is in the file before the next is drawn, instead of all of it in memory. */
async function writeOut(pdf: Pdf, file: Writable) {
  const unwritten = () => (pdf as unknown as Readable).readableLength
  while (unwritten() > 0) await (file.writableNeedDrain ? once(file, 'drain') : nextTurn())
}

/** Opened once, so that a picture shown on many pages is in the file once. */
const imageOf = (pdf: Pdf, { buffer, byteOffset, byteLength }: Uint8Array): Image =>
  (pdf as unknown as { openImage(bytes: Buffer): Image }).openImage(
    Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength),
  )

const logoBox = { width: 110, height: 32 }

function drawSheet(pdf: Pdf, sheet: Sheet, sender: string, logo: Image | null) {
  pdf.addPage()
  const scale = logo ? Math.min(logoBox.width / logo.width, logoBox.height / logo.height) : 0
  const logoWidth = logo ? logo.width * scale : 0
  if (logo) pdf.image(logo, margin, margin, { scale })
  pdf.font('bold').fontSize(11).fillColor(ink.text)
  pdf.text(printable(sender, 120), margin + (logo ? logoWidth + 12 : 0), margin + 8, {
    width: widthOf(pdf) - logoWidth - 12,
    height: 16,
    ellipsis: true,
  })
  ruleAt(pdf, margin + 42)
  pdf.y = margin + 60
  if ('columns' in sheet) drawList(pdf, sheet)
  else drawRecord(pdf, sheet)
}

function drawTitle(pdf: Pdf, { title, subtitle }: Pick<Sheet, 'title' | 'subtitle'>) {
  say(pdf, 'bold', 18, ink.text, title)
  pdf.y += 2
  say(pdf, 'regular', 11, ink.quiet, subtitle)
}

function drawRecord(pdf: Pdf, { mark, facts, pictures, remarks, ...sheet }: RecordSheet) {
  drawTitle(pdf, sheet)
  pdf.y += 8
  say(pdf, 'bold', 13, mark.isGood ? ink.good : ink.bad, mark.text)
  pdf.y += 8
  for (const fact of facts) drawRow(pdf, fact, [labelWidth, widthOf(pdf) - labelWidth], ink.quiet)
  pdf.y += 10
  drawPictures(
    pdf,
    signatureHeight,
    pictures.filter(({ isSignature }) => isSignature),
  )
  drawPictures(
    pdf,
    photoHeight,
    pictures.filter(({ isSignature }) => !isSignature),
  )
  for (const remark of remarks) {
    say(pdf, 'regular', 9, ink.quiet, remark)
    pdf.y += 4
  }
}

function drawList(pdf: Pdf, { columns, rows, facts, closing, ...sheet }: ListSheet) {
  drawTitle(pdf, sheet)
  pdf.y += 10
  if (facts) drawStrip(pdf, facts)
  // What is on the road has more columns than a summary.
  const size = columns.length > 6 ? 8.5 : 10
  const widths = columns.map(([, share]) => share * widthOf(pdf))
  const head = () => {
    const names = columns.map(([name]) => name)
    drawRow(pdf, names, widths, ink.text, 'bold', size)
  }
  head()
  for (const row of rows) drawRow(pdf, row, widths, ink.text, 'regular', size, head)
  if (closing) drawClosing(pdf, closing)
}

function drawClosing(pdf: Pdf, { facts, remark, signatures }: NonNullable<ListSheet['closing']>) {
  makeRoom(pdf, 160)
  pdf.y += 10
  say(pdf, 'regular', 9, ink.quiet, remark)
  pdf.y += 10
  drawStrip(pdf, facts)
  const width = (widthOf(pdf) - (signatures.length - 1) * gap) / signatures.length
  const top = pdf.y + 42
  signatures.forEach((words, at) => {
    const left = margin + at * (width + gap)
    pdf
      .moveTo(left, top)
      .lineTo(left + width, top)
      .lineWidth(0.5)
      .strokeColor(ink.text)
      .stroke()
    pdf.font('regular').fontSize(8.5).fillColor(ink.quiet)
    pdf.text(printable(words, 120), left, top + 4, { width })
  })
  pdf.x = margin
}

/** Beside each other, each under its label. */
function drawStrip(pdf: Pdf, facts: Fact[]) {
  const width = (widthOf(pdf) - (facts.length - 1) * gap) / facts.length
  const top = pdf.y
  let bottom = top
  facts.forEach(([label, value], at) => {
    const left = margin + at * (width + gap)
    pdf.font('regular').fontSize(8.5).fillColor(ink.quiet).text(printable(label, 60), left, top, { width })
    const longest = Math.floor(700 / facts.length)
    pdf
      .font('bold')
      .fontSize(10)
      .fillColor(ink.text)
      .text(printable(value, longest), left, pdf.y + 1, { width })
    bottom = Math.max(bottom, pdf.y)
  })
  pdf.x = margin
  pdf.y = bottom + 10
}

/** Cells side by side over a line, on the next page if they do not fit on this one. */
function drawRow(
  pdf: Pdf,
  cells: readonly string[],
  widths: number[],
  colour: string,
  font = 'regular',
  size = 10,
  onNewPage = () => {},
) {
  const texts = cells.map((cell) => printable(cell))
  pdf.font(font).fontSize(size)
  const heights = texts.map((text, at) => pdf.heightOfString(text || ' ', { width: (widths[at] ?? 0) - 8 }))
  if (makeRoom(pdf, Math.max(...heights) + 9)) onNewPage()
  const top = pdf.y + 4
  let left = margin
  texts.forEach((text, at) => {
    pdf
      .font(font)
      .fontSize(size)
      .fillColor(at === 0 ? colour : ink.text)
    pdf.text(text, left, top, { width: (widths[at] ?? 0) - 8 })
    left += widths[at] ?? 0
  })
  pdf.x = margin
  pdf.y = top + Math.max(...heights) + 5
  ruleAt(pdf, pdf.y)
}

/** Two beside each other. */
function drawPictures(pdf: Pdf, height: number, pictures: PrintedPicture[]) {
  for (let at = 0; at < pictures.length; at += 2) {
    const pair = pictures.slice(at, at + 2)
    pdf.font('regular').fontSize(9)
    const width = (widthOf(pdf) - gap) / 2
    const captions = pair.map(({ caption }) => printable(caption, 200))
    const captionHeight = Math.max(...captions.map((caption) => pdf.heightOfString(caption, { width })))
    makeRoom(pdf, height + captionHeight + 18)
    const top = pdf.y
    pair.forEach(({ picture }, place) => {
      const left = margin + place * (width + gap)
      if (typeof picture === 'string') drawMissing(pdf, picture, left, top, width, height)
      else pdf.image(imageOf(pdf, picture), left, top, { fit: [width, height] })
      pdf.font('regular').fontSize(9).fillColor(ink.quiet)
      pdf.text(captions[place] ?? '', left, top + height + 4, { width })
    })
    pdf.x = margin
    pdf.y = top + height + captionHeight + 18
  }
}

function drawMissing(pdf: Pdf, words: string, left: number, top: number, width: number, height: number) {
  pdf.rect(left, top, width, height).fill(ink.empty)
  pdf.font('regular').fontSize(9).fillColor(ink.text)
  pdf.text(printable(words), left + 12, top + 12, { width: width - 24 })
}

function drawFeet(pdf: Pdf, foot: string) {
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page)
    // Below the bottom margin, where text would begin a new page.
    pdf.page.margins.bottom = 0
    pdf.font('regular').fontSize(8).fillColor(ink.quiet)
    const text = foot.replace('{page}', String(page + 1)).replace('{pages}', String(count))
    pdf.text(printable(text), margin, pdf.page.height - margin - 8, { width: widthOf(pdf), height: 12, ellipsis: true })
  }
}

function say(pdf: Pdf, font: keyof typeof fonts, size: number, colour: string, text: string) {
  const words = printable(text)
  pdf.font(font).fontSize(size)
  makeRoom(pdf, pdf.heightOfString(words, { width: widthOf(pdf) }))
  pdf.fillColor(colour).text(words, margin, pdf.y, { width: widthOf(pdf) })
}

const widthOf = (pdf: Pdf) => pdf.page.width - 2 * margin

/** Begins a new page if there is not so much left of this one. */
function makeRoom(pdf: Pdf, height: number): boolean {
  if (pdf.y + height <= pdf.page.height - pdf.page.margins.bottom) return false
  pdf.addPage()
  pdf.y = margin
  return true
}

const ruleAt = (pdf: Pdf, y: number) =>
  pdf
    .moveTo(margin, y)
    .lineTo(pdf.page.width - margin, y)
    .lineWidth(0.5)
    .strokeColor(ink.line)
    .stroke()

parentPort?.on('message', (job: DrawJob) => {
  draw(job).then(
    () => parentPort?.postMessage({ result: undefined } satisfies Outcome<void>),
    ({ message, code }) => parentPort?.postMessage({ error: { message, code } } satisfies Outcome<void>),
  )
})
