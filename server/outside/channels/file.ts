import { open } from 'node:fs/promises'
import type { Channel } from './channel.ts'

/** Writes messages to a file, a line of JSON each, for trying out. */
export const createFileChannel = (path: string): Channel => ({
  async send({ organisation, ...message }) {
    try {
      await using file = await open(path, 'a', 0o600)
      await file.write(`${JSON.stringify({ ...message, company: organisation.name })}\n`)
      await file.sync()
      return { outcome: 'sent' }
    } catch {
      return { outcome: 'refused', error: 'The file for messages cannot be written' }
    }
  },
})
