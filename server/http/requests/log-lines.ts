import { write } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

export interface Lines {
  /** Adds a line, or drops it if too many wait. Never waits and never throws. */
  add(line: object): void
  /** Waits for the lines so far, but not for ever. */
  close(): Promise<void>
}

const mostWaitingBytes = 1_048_576
const atOnceBytes = 65_536
const retryMs = 1_000
const closingMs = 1_000

/**
 * Lines of JSON for a file, or for the standard output (`-`), written one after the other in the background. If they
 * cannot be written fast enough, the newest are dropped, and a line says how many.
 */
export function openLines(target: string, onTrouble: (error: Error) => void): Lines {
  const waiting: Buffer[] = []
  let bytes = 0
  let dropped = 0
  let isTroubled = false
  let writing: Promise<void> | undefined
  let isClosed = false

  function keep(line: object) {
    const text = Buffer.from(`${JSON.stringify(line)}\n`)
    waiting.push(text)
    bytes += text.length
  }

  /** As much as is written at once, of whole lines. What cannot be written is gone: a part of it may be in the file. */
  async function writeNext(fd: number) {
    let size = 0
    const end = waiting.findIndex((line) => {
      size += line.length
      return size > atOnceBytes
    })
    const lines = waiting.splice(0, end === -1 ? waiting.length : Math.max(1, end))
    const text = Buffer.concat(lines)
    bytes -= text.length
    try {
      await writeBytes(fd, text)
    } catch (error) {
      dropped += lines.length
      throw error
    }
  }

  async function writeAll() {
    // Opened anew each time there is something to write, so that a log that was moved away begins again.
    const file = target === '-' ? undefined : await open(target, 'a', 0o600)
    try {
      while (waiting.length > 0) {
        await writeNext(file?.fd ?? process.stdout.fd)
        if (dropped > 0) {
          keep({ time: new Date().toISOString(), dropped })
          dropped = 0
        }
      }
      isTroubled = false
    } finally {
      await file?.close()
    }
  }

  async function work() {
    while (waiting.length > 0) {
      try {
        await writeAll()
      } catch (error) {
        // Once, not for every line.
        if (!isTroubled) onTrouble(error as Error)
        isTroubled = true
        if (isClosed) return
        await pause(retryMs, undefined, { ref: false })
      }
    }
  }

  return {
    add(line) {
      if (bytes > mostWaitingBytes) {
        dropped += 1
        return
      }
      keep(line)
      writing ??= work().finally(() => {
        writing = undefined
      })
    },
    async close() {
      isClosed = true
      await Promise.race([writing, pause(closingMs, undefined, { ref: false })])
    },
  }
}

const writeSome = promisify(write)
const fullMs = 50

/** All of it. A pipe that is full takes a part or nothing: whoever reads it has to catch up. */
async function writeBytes(fd: number, text: Buffer) {
  for (let at = 0; at < text.length; ) {
    try {
      at += (await writeSome(fd, text, at)).bytesWritten
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      await pause(fullMs, undefined, { ref: false })
    }
  }
}
