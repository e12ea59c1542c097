import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { Refusal } from '../../contract/errors.ts'
import type { Service } from '../context.ts'
import type { KeptPicture, SentBytes } from '../http/requests/upload.ts'
import { OutsideError } from '../outside/fault.ts'
import { keyOfThumb } from '../outside/files/store.ts'
import { insertLeftover } from './queries.ts'

/*
 * From bytes that were sent to a picture in the store. It happens before the transaction that makes a file of it: a slow
 * store holds up no connection, and what never becomes a file is a leftover.
 */

/** How the files we take begin. Their names and declared types prove nothing. */
const signatures: [name: string, matches: (head: Buffer) => boolean][] = [
  ['JPEG', (head) => head.readUIntBE(0, 3) === 0xffd8ff],
  ['PNG', (head) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['WebP', (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'],
]
const headBytes = 12

export async function keepPicture(service: Service, organisationId: number, sent: SentBytes): Promise<KeptPicture> {
  await requirePicture(sent)
  const [picture, thumb] = [`${sent.path}.picture`, `${sent.path}.thumb`]
  try {
    const { type, bytes, width, height } = await service.pictures.make({ from: sent.path, picture, thumb })
    const name = randomUUID()
    const key = `${organisationId}/${name.slice(0, 2)}/${name}`
    await insertLeftover(service.database.of(organisationId), organisationId, key)
    await store(service, key, picture, type)
    await store(service, keyOfThumb(key), thumb, type)
    return { store_key: key, sha256: sent.sha256, type, bytes, width, height }
  } finally {
    await Promise.all([picture, thumb].map((path) => rm(path, { force: true })))
  }
}

async function requirePicture({ path, bytes }: SentBytes) {
  if (bytes === 0) throw new Refusal('NOT_A_PICTURE', { message: 'The file is empty' })
  const file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0).finally(() => file.close())
  if (!signatures.some(([, matches]) => matches(buffer))) throw new Refusal('NOT_A_PICTURE')
}

async function store({ files, log }: Service, key: string, path: string, type: string) {
  try {
    await files.put(key, path, type)
  } catch (err) {
    throw storeTrouble(err, log)
  }
}

/** What is wrong with the store is for the operator; a caller can only try again. */
export function storeTrouble(err: unknown, log: Service['log']): unknown {
  if (!(err instanceof OutsideError)) return err
  log.error({ err }, 'The file store failed')
  return new Refusal('OVERLOADED', {
    message: 'The file store does not answer; try again shortly',
    retryAfterSeconds: 5,
  })
}
