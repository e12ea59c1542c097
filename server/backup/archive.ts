import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { paddingOf, readTarHeader, tarBlock, tarHeader } from './tar.ts'

/* An archive whose last member is the checksum of everything before it, so that damage is always detected. */

const lastMember = 'sha256'
/** Sixty-four digits and the end of the line. */
const sumBytes = 65
const pieceBytes = 1 << 20

/** Why a file is not a complete backup, in a sentence that is shown to the user. */
export class DamagedBackup extends Error {}

export interface ArchiveWriter {
  /** The current length of the file. */
  bytes(): number
  add(path: string, body: Buffer): Promise<void>
  /** The same for a body in pieces, which together must have this many bytes. */
  addPieces(path: string, bytes: number, pieces: AsyncIterable<Buffer>): Promise<void>
  /** Writes the checksum and waits until all of it is on the disk. */
  finish(): Promise<void>
}

export function writeArchive(file: FileHandle, now: Date): ArchiveWriter {
  const total = createHash('sha256')
  let written = 0

  async function write(...buffers: Buffer[]) {
    const whole = Buffer.concat(buffers)
    total.update(whole)
    // Unlike `write` it continues until everything is written.
    await file.appendFile(whole)
    written += whole.length
  }
  const pad = (bytes: number) => Buffer.alloc(paddingOf(bytes))
  const add = (path: string, body: Buffer) => write(tarHeader(path, body.length, now), body, pad(body.length))

  return {
    bytes: () => written,
    add,
    async addPieces(path, bytes, pieces) {
      await write(tarHeader(path, bytes, now))
      let rest = bytes
      for await (const piece of pieces) {
        rest -= piece.length
        if (rest < 0) break
        await write(piece)
      }
      if (rest !== 0) throw new Error(`${path} changed while it was being read`)
      await write(pad(bytes))
    },
    async finish() {
      const header = tarHeader(lastMember, sumBytes, now)
      await write(header)
      await write(Buffer.from(`${total.copy().digest('hex')}\n`), pad(sumBytes), Buffer.alloc(2 * tarBlock))
      await file.sync()
    },
  }
}

export interface Member {
  path: string
  bytes: number
  /** Where its body begins. */
  at: number
}

export interface Archive {
  size: number
  /** The body of a member, a piece at a time. */
  pieces(member: Member): AsyncGenerator<Buffer>
  body(member: Member): Promise<Buffer>
  /**
   * Every member in order, each looked at by `look` with its pieces. Only when this has ended is the archive known to
   * be whole.
   */
  readAll(look: (member: Member, pieces: AsyncIterable<Buffer>) => Promise<void>): Promise<void>
  close(): Promise<void>
}

export async function openArchive(path: string): Promise<Archive> {
  const file = await open(path)
  const { size } = await file.stat()

  async function read(at: number, bytes: number): Promise<Buffer> {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, at)
    if (bytesRead < bytes) throw new DamagedBackup(`${path} ends too early: it was cut off`)
    return buffer
  }

  async function* pieces({ at, bytes }: Member) {
    for (let done = 0; done < bytes; done += pieceBytes) yield await read(at + done, Math.min(pieceBytes, bytes - done))
  }

  async function* watched(source: AsyncIterable<Buffer>, watch: (piece: Buffer) => void) {
    for await (const piece of source) {
      watch(piece)
      yield piece
    }
  }

  return {
    size,
    pieces,
    body: async (member) => Buffer.concat(await Array.fromAsync(pieces(member))),
    async readAll(look) {
      const total = createHash('sha256')
      for (let at = 0; ; ) {
        const header = await read(at, tarBlock)
        const found = readTarHeader(header)
        if (!found) throw new DamagedBackup(at === 0 ? `${path} is not a Waybill backup` : changed(path, at))
        const member = { ...found, at: at + tarBlock }
        const next = member.at + found.bytes + paddingOf(found.bytes)
        if (next > size) throw new DamagedBackup(`${path} ends too early: it was cut off`)
        total.update(header)
        if (found.path === lastMember) {
          const expected = Buffer.alloc(sumBytes + paddingOf(sumBytes) + 2 * tarBlock)
          expected.write(`${total.digest('hex')}\n`)
          const rest = await read(member.at, expected.length)
          if (!rest.equals(expected) || size !== member.at + expected.length) throw new DamagedBackup(changed(path))
          return
        }
        const body = watched(pieces(member), (piece) => total.update(piece))
        await look(member, body)
        // Parts that were not read count too.
        for await (const _ of body);
        total.update(await read(member.at + found.bytes, paddingOf(found.bytes)))
        at = next
      }
    },
    close: () => file.close(),
  }
}

const changed = (path: string, at?: number) =>
  `${path} was changed after it was written: its checksum does not match${at === undefined ? '' : ` at byte ${at}`}`
