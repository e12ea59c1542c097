import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../contract/errors.ts'
import type { Service } from '../context.ts'
import { storeTrouble } from '../files/keep.ts'
import type { StoredPicture } from './queries.ts'
import type { Say } from './words.ts'

export interface Size {
  longestSide: number
  mostBytes: number
}

/** A small copy of a picture for paper, or why there is none. */
export async function printPicture(
  service: Service,
  stored: StoredPicture | undefined,
  size: Size,
  say: Say,
): Promise<Uint8Array | string> {
  if (!stored) return say('lost')
  if (!stored.store_key) return say('notSent')
  const bytes = await service.files.get(stored.store_key).catch((error) => {
    throw storeTrouble(error, service.log)
  })
  if (bytes) return (await shrink(service, bytes, size)) ?? say('unreadable')
  service.log.error(`The file store has nothing under ${stored.store_key}`)
  return say('lost')
}

/** Undefined if it cannot be read. */
async function shrink({ config, pictures }: Service, bytes: Buffer, size: Size): Promise<Uint8Array | undefined> {
  const folder = join(config.dataFolder, 'uploads')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const from = join(folder, `paper-${randomUUID()}`)
  const to = `${from}.small`
  try {
    await writeFile(from, bytes)
    await pictures.shrink({ from, to, ...size })
    return new Uint8Array(await readFile(to))
  } catch (error) {
    if (error instanceof Refusal && error.code.startsWith('PICTURE_')) return undefined
    throw error
  } finally {
    await Promise.all([from, to].map((path) => rm(path, { force: true })))
  }
}
