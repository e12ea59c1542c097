import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../contract/errors.ts'
import type { Service } from '../context.ts'
import { storeTrouble } from '../files/keep.ts'
import type { InkJob } from '../threads/picture-process.ts'
import type { StoredPicture } from './queries.ts'
import type { Say } from './words.ts'

/** For PDF files, a JPEG. */
export interface Size {
  longestSide: number
  mostBytes: number
}

/** For thermal printers, black dots as a PBM file. */
export type Dots = Pick<InkJob, 'box'>

/** A small copy of a picture for paper, or why there is none. It is kept for the next paper that shows the picture. */
export async function printPicture(
  service: Service,
  organisationId: number,
  stored: StoredPicture | undefined,
  size: Size | Dots,
  say: Say,
): Promise<Uint8Array | string> {
  if (!stored) return say('lost')
  if (!stored.store_key) return say('notSent')
  // What is under a key never changes.
  const name = createHash('sha256')
    .update(JSON.stringify([stored.store_key, size]))
    .digest('base64url')
  const kept = await service.kept.find(organisationId, name)
  if (kept) return new Uint8Array(await kept.file.readFile().finally(() => kept.file.close()))
  const bytes = await service.files.get(stored.store_key).catch((error) => {
    throw storeTrouble(error, service.log)
  })
  if (bytes) return (await shrink(service, organisationId, name, bytes, size)) ?? say('unreadable')
  service.log.error(`The file store has nothing under ${stored.store_key}`)
  return say('lost')
}

/** Undefined if it cannot be read. */
async function shrink(
  { config, kept, pictures }: Service,
  organisationId: number,
  name: string,
  bytes: Buffer,
  size: Size | Dots,
): Promise<Uint8Array | undefined> {
  const folder = join(config.dataFolder, 'uploads')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const from = join(folder, `paper-${randomUUID()}`)
  let small: Uint8Array | undefined
  try {
    await writeFile(from, bytes)
    await kept.keep(organisationId, name, async (to) => {
      await ('box' in size ? pictures.ink({ from, to, ...size }) : pictures.shrink({ from, to, ...size }))
      small = new Uint8Array(await readFile(to))
    })
  } catch (error) {
    if (!(error instanceof Refusal && error.code.startsWith('PICTURE_'))) throw error
  } finally {
    await rm(from, { force: true })
  }
  return small
}
