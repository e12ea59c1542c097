/* Reads labels back from the language of thermal printers, as a printer does. */

export interface ZplField {
  left: number
  top: number
  kind: 'text' | 'code128' | 'qr' | 'box' | 'picture'
  data: string
  /** Of a text, in dots: what its lines take at most. */
  width: number
  height: number
  /** Of bars: how many dots the thinnest takes. */
  dots: number
  /** Of a picture: whether the dot there is black. */
  isBlack?: (x: number, y: number) => boolean
}

export function readZpl(file: string): ZplField[][] {
  const labels = file.match(/\^XA[\s\S]*?\^XZ/g) ?? []
  return labels.map((label) =>
    Array.from(label.matchAll(/\^FO(\d+),(\d+)([\s\S]*?)\^FS/g), ([, left, top, rest]) =>
      readField(Number(left), Number(top), rest as string),
    ),
  )
}

function readField(left: number, top: number, rest: string): ZplField {
  const place = { left, top, width: 0, height: 0, dots: 0 }
  const box = /^\^GB(\d+),(\d+)/.exec(rest)
  if (box) return { ...place, kind: 'box', data: '', width: Number(box[1]), height: Number(box[2]) }
  const picture = /^\^GFA,(\d+),(\d+),(\d+),([0-9A-F]*)$/.exec(rest)
  if (picture) return { ...place, kind: 'picture', data: '', ...readPicture(picture.slice(1) as PictureParts) }
  const [, hex, written = ''] = /(\^FH)?\^FD([^^~]*)$/.exec(rest) ?? []
  const data = hex ? unhex(written) : written
  if (rest.includes('^BQ')) return { ...place, kind: 'qr', data: data.replace(/^MA,/, '') }
  const bars = /\^BY(\d)\^BCN,(\d+)/.exec(rest)
  if (bars) return { ...place, kind: 'code128', data: readBars(data), dots: Number(bars[1]), height: Number(bars[2]) }
  const [, size, width, lines] = /\^ATN,(\d+),\d+\^FB(\d+),(\d+)/.exec(rest) ?? []
  return { ...place, kind: 'text', data, width: Number(width), height: Number(size) * Number(lines) }
}

const unhex = (written: string) =>
  Buffer.concat(
    Array.from(written.matchAll(/_([0-9a-f]{2})|([^_]+)/gi), ([, byte, plain]) =>
      byte ? Buffer.from(byte, 'hex') : Buffer.from(plain as string),
    ),
  ).toString()

/** What stands in the bars: `>:` begins in letters, `>;` in pairs of digits, `>6` and `>5` change over. */
function readBars(data: string): string {
  let text = ''
  for (const [, command, plain] of data.matchAll(/>(.)|([^>]+)/g)) {
    if (plain !== undefined) text += plain
    else if (command === '0') text += '>'
    else if (!command || !':;56'.includes(command)) throw new Error(`>${command} is no command of Code 128`)
  }
  return text
}

type PictureParts = [sent: string, all: string, ofRow: string, data: string]

/** Rows of whole bytes, the first dot in the highest bit; 1 is black. */
function readPicture([sent, all, ofRow, data]: PictureParts) {
  const bits = Buffer.from(data, 'hex')
  const bytesOfRow = Number(ofRow)
  if (bits.length !== Number(sent) || sent !== all || bits.length % bytesOfRow !== 0)
    throw new Error(`A picture of ${all} bytes, ${ofRow} in a row, has ${bits.length}`)
  const isBlack = (x: number, y: number) => (((bits[y * bytesOfRow + (x >> 3)] as number) >> (7 - (x & 7))) & 1) === 1
  return { width: bytesOfRow * 8, height: bits.length / bytesOfRow, isBlack }
}
