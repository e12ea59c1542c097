import { Refusal } from '../../contract/errors.ts'
import type { Service } from '../context.ts'
import type { Download } from '../http/answers/download.ts'
import { keyOfThumb } from '../outside/files/store.ts'
import { storeTrouble } from './keep.ts'
import type { FileRow } from './queries.ts'

/** The bytes of a file, for a caller who may see it. */
export function downloadOf({ files, log }: Service, { id, store_key, type }: FileRow, size = 'full'): Download {
  if (!store_key) throw new Refusal('FILE_NOT_FOUND')
  const isThumb = size === 'thumb'
  const key = isThumb ? keyOfThumb(store_key) : store_key
  return {
    type: type ?? '',
    name: `${id}${isThumb ? '-thumb' : ''}.${type === 'image/png' ? 'png' : 'jpg'}`,
    // What is under a key never changes.
    etag: `"${key}"`,
    async read() {
      const bytes = await files.get(key).catch((error) => {
        throw storeTrouble(error, log)
      })
      if (bytes) return bytes
      log.error(`The file store has nothing under ${key}`)
      throw new Refusal('FILE_NOT_FOUND', { message: 'The contents of this file are lost' })
    },
  }
}
