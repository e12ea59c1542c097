import { closeSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { writeAll } from '../extract/coordinates.ts'

/*
 * A file of typed arrays with names, read without parsing: each lies in it as it lies in memory. It begins with 32 bytes (magic number,
 * version, where the list of what is in it begins, how long that is and what it adds up to) and ends with that list, as JSON.
 */

const lists = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array }
type ListName = keyof typeof lists
export type List = InstanceType<(typeof lists)[ListName]>

const magic = 'WAYBROAD'
/** Whoever changes what a section means counts on. */
const version = 1
const headBytes = 32
/** Each begins at a multiple of this: eight bytes for the widest numbers, and whole pages are read faster. */
const alignment = 64

interface Section {
  list: ListName
  at: number
  length: number
  crc: number
}
interface Contents<About> {
  about: About
  sections: Record<string, Section>
}

export class WrongFile extends Error {
  override readonly name = 'WrongFile'
}

export async function openSectionWriter(path: string) {
  const file: FileHandle = await open(path, 'w')
  const sections: Record<string, Section> = {}
  let end = headBytes

  async function write(bytes: Buffer) {
    end = Math.ceil(end / alignment) * alignment
    const at = end
    await writeAll(file, bytes, at)
    end += bytes.length
    return at
  }
  return {
    /** Every array of an object, as `<prefix>/<its name>`. */
    async add(prefix: string, given: object) {
      for (const [name, list] of Object.entries(given)) {
        const bytes = Buffer.from(list.buffer, list.byteOffset, list.byteLength)
        sections[`${prefix}/${name}`] = {
          list: nameOf(list),
          at: await write(bytes),
          length: list.length,
          crc: crc32(bytes),
        }
      }
    },
    /** Returns how many bytes the file has. */
    async finish(about: object): Promise<number> {
      const contents = Buffer.from(JSON.stringify({ about, sections } satisfies Contents<object>))
      const at = await write(contents)
      const head = Buffer.alloc(headBytes)
      head.write(magic, 0, 'latin1')
      head.writeUInt32LE(version, 8)
      head.writeDoubleLE(at, 12)
      head.writeUInt32LE(contents.length, 20)
      head.writeUInt32LE(crc32(contents), 24)
      await writeAll(file, head, 0)
      return end
    },
    close: () => file.close(),
  }
}

function nameOf(list: unknown): ListName {
  const found = Object.entries(lists).find(([, List]) => list instanceof List)
  if (!found) throw new TypeError('Only lists of numbers can be written')
  return found[0] as ListName
}

export interface SectionReader<About> {
  about: About
  /** Whether there is anything with this prefix. */
  has(prefix: string): boolean
  /** Everything with this prefix, by the rest of its name. Read anew each time. */
  read<Lists extends object>(prefix: string): Lists
  close(): void
}

export function openSections<About>(path: string): SectionReader<About> {
  const file = openSync(path, 'r')
  try {
    const { about, sections } = readContents<About>(file, path)
    const named = (prefix: string) => Object.entries(sections).filter(([name]) => name.startsWith(`${prefix}/`))
    return {
      about,
      has: (prefix) => named(prefix).length > 0,
      read(prefix) {
        const read = named(prefix).map(([name, section]) => [
          name.slice(prefix.length + 1),
          readSection(file, path, section),
        ])
        return Object.fromEntries(read)
      },
      close: () => closeSync(file),
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function readContents<About>(file: number, path: string): Contents<About> {
  const head = readBytes(file, path, 0, headBytes)
  if (head.toString('latin1', 0, 8) !== magic) throw new WrongFile(`${path} is no file of roads`)
  if (head.readUInt32LE(8) !== version)
    throw new WrongFile(`${path} was made by another version of Waybill: import the map again`)
  const contents = readBytes(file, path, head.readDoubleLE(12), head.readUInt32LE(20))
  if (crc32(contents) !== head.readUInt32LE(24)) throw damaged(path)
  return JSON.parse(contents.toString())
}

function readSection(file: number, path: string, { list, at, length, crc }: Section): List {
  const bytes = readBytes(file, path, at, length * lists[list].BYTES_PER_ELEMENT)
  if (crc32(bytes) !== crc) throw damaged(path)
  return new lists[list](bytes.buffer as ArrayBuffer, bytes.byteOffset, length)
}

/** Reads at most so much at once. */
const chunkBytes = 1 << 30

function readBytes(file: number, path: string, at: number, length: number): Buffer {
  // Its own memory, aligned: small buffers would share theirs.
  const bytes = Buffer.from(new ArrayBuffer(length))
  for (let done = 0; done < length; ) {
    const read = readSync(file, bytes, done, Math.min(chunkBytes, length - done), at + done)
    if (read === 0) throw damaged(path)
    done += read
  }
  return bytes
}

const damaged = (path: string) => new WrongFile(`${path} is damaged: import the map again`)
