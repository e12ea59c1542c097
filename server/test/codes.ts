import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'

/* What a scanner reads from paper: PDF pages as pictures, and the codes in pictures. */

export interface Picture {
  /** RGBA. */
  data: Uint8ClampedArray
  width: number
  height: number
}

let ready: Promise<unknown> | undefined

async function loadReader() {
  const wasmBinary = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasmBinary).buffer }, fireImmediately: true })
}

/** The codes in a picture, by format and text. */
export async function readCodes({ data, width, height }: Picture, formats: NonNullable<ReaderOptions['formats']>) {
  ready ??= loadReader()
  await ready
  const picture = { data, width, height, colorSpace: 'srgb' } as unknown as Parameters<typeof readBarcodes>[0]
  const found = await readBarcodes(picture, { formats, tryHarder: true, maxNumberOfSymbols: 20 })
  return found
    .filter(({ isValid }) => isValid)
    .map(({ format, text }) => ({ format, text }))
    .sort((one, other) => one.format.localeCompare(other.format) || one.text.localeCompare(other.text))
}

/** What is written on every page of a PDF. */
export async function textsOfPdf(bytes: Uint8Array): Promise<string[]> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(bytes)
  const texts = [...document.pages()].map((page) => page.getText())
  document.destroy()
  library.destroy()
  return texts
}

/** Every page of a PDF as a printer with so many dots to the inch draws it. */
export async function renderPdf(bytes: Uint8Array, dotsPerInch: number): Promise<Picture[]> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(bytes)
  const pages: Picture[] = []
  try {
    for (const page of document.pages()) {
      const { data, width, height } = await page.render({ scale: dotsPerInch / 72, render: 'bitmap' })
      pages.push({ data: new Uint8ClampedArray(data), width, height })
    }
  } finally {
    document.destroy()
    library.destroy()
  }
  return pages
}
