/*
 * As much of the zip format as a spreadsheet needs: files stored or deflated, up to 4 GB, no passwords. The browser
 * itself packs and unpacks.
 */

export type Bytes = Uint8Array<ArrayBuffer>

/** Larger than any list of tasks; a file that unpacks to more is refused. */
const unpackedMax = 400 * 2 ** 20

async function pipe(bytes: Bytes, through: CompressionStream | DecompressionStream): Promise<Bytes> {
  const stream = new Blob([bytes]).stream().pipeThrough(through as ReadableWritablePair<Bytes, Bytes>)
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** The files of a zip, each unpacked when needed. Throws if it is not a zip. */
export function openZip(bytes: Bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  const files = new Map<string, { method: number; start: number; size: number }>()
  let at = view.getUint32(end + 16, true)
  let unpacked = 0
  for (let count = view.getUint16(end + 10, true); count > 0; count -= 1) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new Error('The directory of the file is damaged')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true))
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength!))
    const local = view.getUint32(at + 42, true)
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    files.set(name, { method: view.getUint16(at + 10, true), start, size: view.getUint32(at + 20, true) })
    unpacked += view.getUint32(at + 24, true)
    at += 46 + nameLength! + extraLength! + commentLength!
  }
  if (unpacked > unpackedMax) throw new Error('The file is too large')
  return {
    async text(name: string): Promise<string | undefined> {
      const file = files.get(name)
      if (!file) return undefined
      const packed = bytes.subarray(file.start, file.start + file.size)
      if (file.method !== 0 && file.method !== 8) throw new Error('The file is packed in an unknown way')
      const plain = file.method === 0 ? packed : await pipe(packed, new DecompressionStream('deflate-raw'))
      return new TextDecoder().decode(plain)
    },
  }
}

function findEnd(view: DataView): number {
  // A comment of up to 64 KB may follow.
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at -= 1)
    if (view.getUint32(at, true) === 0x06054b50) return at
  throw new Error('This is not a zip file')
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})
function crcOf(bytes: Bytes): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ crcTable[(crc ^ byte) & 0xff]!
  return (crc ^ 0xffffffff) >>> 0
}

/** 1 January 1980, the first day a zip knows: the same content makes the same file. */
const someDay = 0x0021

export async function makeZip(files: readonly { name: string; text: string }[]): Promise<Bytes> {
  const parts: Bytes[] = []
  const directory: Bytes[] = []
  let offset = 0
  for (const { name, text } of files) {
    const plain = new TextEncoder().encode(text)
    const packed = await pipe(plain, new CompressionStream('deflate-raw'))
    const path = new TextEncoder().encode(name)
    // Version, flags (names are UTF-8), method, time, day, checksum, sizes, length of the name, no extra.
    const facts = [20, 0x0800, 8, 0, someDay].map((value) => [value, 2])
    facts.push([crcOf(plain), 4], [packed.length, 4], [plain.length, 4], [path.length, 2], [0, 2])
    const local = record([[0x04034b50, 4], ...facts])
    const rest = [0, 0, 0].map((value) => [value, 2])
    directory.push(record([[0x02014b50, 4], [20, 2], ...facts, ...rest, [0, 4], [offset, 4]]), path)
    parts.push(local, path, packed)
    offset += local.length + path.length + packed.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const counts = [0, 0, files.length, files.length].map((value) => [value, 2])
  const end = record([[0x06054b50, 4], ...counts, [size, 4], [offset, 4], [0, 2]])
  return new Uint8Array(await new Blob([...parts, ...directory, end]).arrayBuffer())
}

/** Numbers of this many bytes each, the least significant first. */
function record(fields: number[][]): Bytes {
  const bytes: number[] = []
  for (const [value, size] of fields as [number, number][])
    for (let byte = 0; byte < size; byte += 1) bytes.push(Math.floor(value / 256 ** byte) & 0xff)
  return Uint8Array.from(bytes)
}
