import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * Where every node is, on disk: a country has some fifty million, of which a Map would need many gigabytes. Extracts have
 * them in the order of their ids, so they are written as pages of equal length, and in memory there is only where each begins. Whoever
 * wants some asks for many at once, and each page is read once.
 */

export interface Coordinates {
  /** Ids must be larger than all before; one that comes again is left out. In ten-millionths of a degree. */
  add(ids: readonly number[], lats: readonly number[], lngs: readonly number[]): Promise<void>
  /** How many there are. */
  count(): number
  /** Latitude and longitude of each, one after the other; `missing` where there is no such node. */
  find(ids: Float64Array): Promise<Int32Array>
  close(): Promise<void>
}

export const missing = 0x7f_ff_ff_ff

const pageNodes = 1 << 16
const mostOffset = 0xff_ff_ff_ff

interface Page {
  firstId: number
  nodes: number
  at: number
}

export async function openCoordinates(folder: string): Promise<Coordinates> {
  const file = await open(join(folder, 'nodes'), 'w+')
  const pages: Page[] = []
  let full = newPage()
  /** The page being written: ids as what they are more than its first one. */
  let [firstId, used, count, end] = [0, 0, 0, 0]
  let lastId = Number.NEGATIVE_INFINITY

  async function writePage() {
    if (used === 0) return
    const whole = Buffer.concat([full.offsets, full.lats, full.lngs].map((list) => bytesOf(list.subarray(0, used))))
    pages.push({ firstId, nodes: used, at: end })
    await writeAll(file, whole, end)
    end += whole.length
    used = 0
    full = newPage()
  }

  async function readPage({ at, nodes }: Page) {
    const bytes = Buffer.from(new ArrayBuffer(nodes * 12))
    await file.read(bytes, 0, bytes.length, at)
    const part = (number: number) => [bytes.buffer, bytes.byteOffset + number * nodes * 4, nodes] as const
    return { offsets: new Uint32Array(...part(0)), lats: new Int32Array(...part(1)), lngs: new Int32Array(...part(2)) }
  }

  return {
    async add(ids, lats, lngs) {
      for (let index = 0; index < ids.length; index += 1) {
        const id = ids[index] as number
        if (id === lastId) continue
        if (used === pageNodes || (used > 0 && id - firstId > mostOffset)) await writePage()
        if (used === 0) firstId = id
        full.offsets[used] = id - firstId
        full.lats[used] = lats[index] as number
        full.lngs[used] = lngs[index] as number
        used += 1
        count += 1
        lastId = id
      }
    },
    count: () => count,
    async find(ids) {
      await writePage()
      const found = new Int32Array(ids.length * 2).fill(missing)
      const { order, starts } = byPage(ids, pages)
      for (const [number, page] of pages.entries()) {
        const [start, end] = [starts[number] as number, starts[number + 1] as number]
        if (start === end) continue
        const { offsets, lats, lngs } = await readPage(page)
        for (let at = start; at < end; at += 1) {
          const index = order[at] as number
          const offset = (ids[index] as number) - page.firstId
          const place = lastUpTo(offsets, offset)
          if (place < 0 || offsets[place] !== offset) continue
          found[index * 2] = lats[place] as number
          found[index * 2 + 1] = lngs[place] as number
        }
      }
      return found
    },
    close: () => file.close(),
  }
}

const newPage = () => ({
  offsets: new Uint32Array(pageNodes),
  lats: new Int32Array(pageNodes),
  lngs: new Int32Array(pageNodes),
})

const bytesOf = (list: Uint32Array | Int32Array) => Buffer.from(list.buffer, list.byteOffset, list.byteLength)

/** Until everything is written: a disk that is nearly full takes a part first, and says that it is full only then. */
export async function writeAll(file: FileHandle, bytes: Buffer, at: number) {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}

/** The ids as numbers in the list, those of a page together, and where in that order each page begins. */
function byPage(ids: Float64Array, pages: readonly Page[]) {
  const firstIds = Float64Array.from(pages, ({ firstId }) => firstId)
  const pageOf = new Int32Array(ids.length)
  const starts = new Uint32Array(pages.length + 1)
  for (let index = 0; index < ids.length; index += 1) {
    const page = lastUpTo(firstIds, ids[index] as number)
    pageOf[index] = page
    if (page >= 0) (starts[page + 1] as number) += 1
  }
  for (let page = 1; page < starts.length; page += 1) (starts[page] as number) += starts[page - 1] as number
  const next = starts.slice()
  const order = new Uint32Array(ids.length)
  for (let index = 0; index < ids.length; index += 1) {
    const page = pageOf[index] as number
    if (page < 0) continue
    order[next[page] as number] = index
    ;(next[page] as number) += 1
  }
  return { order, starts }
}

/** The last place in an ascending list whose number is not larger; -1 if there is none. */
export function lastUpTo(list: Float64Array | Uint32Array, wanted: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] as number) <= wanted) low = middle + 1
    else high = middle
  }
  return low - 1
}
