import type { Static } from 'typebox'
import { uuid } from '../core/file-id.ts'
import { mostPictureMegabytes, pictureTypes } from './limits.ts'
import { Time } from './schema.ts'
import { Type } from './type.ts'

export const FileId = (description = 'The id of a stored file, a UUID') =>
  Type.String({ pattern: `^${uuid}$`, description, 'x-rule': 'must be a UUID' })

/** How a field of a record names a file; answers show the path. */
export const FilePath = Type.String({
  pattern: `^(/files/)?${uuid}$`,
  description: 'A stored-file path such as `/files/<id>`; the id alone is fine too',
  'x-rule': 'must be a stored-file path such as /files/<id>',
})
export const FilePathOrEmpty = Type.String({
  pattern: `^((/files/)?${uuid})?$`,
  description: 'A stored-file path such as `/files/<id>`, the id alone, or empty for none',
  'x-rule': 'must be a stored-file path such as /files/<id>, or empty',
})

/** Logos used to be any text. */
export const isFilePath = (text: string) => new RegExp(`^/files/${uuid}$`).test(text)
export const filePath = (id: string) => `/files/${id}`
export const fileIdIn = (path: string) => path.replace(/^\/files\//, '').toLowerCase()

export const PictureSize = Type.Optional(
  Type.String({ enum: ['full', 'thumb'], description: '`full` (default): at most 2,048 pixels; `thumb`: 320' }),
)

export const StoredFile = Type.Object(
  {
    id: FileId(),
    path: Type.String({ description: 'Where it can be fetched; `?size=thumb` for the thumbnail' }),
    type: Type.String({ description: '`image/jpeg`, or `image/png` if it has transparent parts' }),
    bytes: Type.Integer({ description: 'Size as stored' }),
    width: Type.Integer({ description: 'Pixels, as stored' }),
    height: Type.Integer({ description: 'Pixels, as stored' }),
    createdAt: Time(),
  },
  { title: 'StoredFile' },
)
export type StoredFile = Static<typeof StoredFile>

/** A binary body: what may be sent, and how long that may take. */
export interface Upload {
  types: readonly string[]
  mostBytes: number
  withinMs: number
}

/** Enough for a photo at the edge of the network: 600 kB at 1 kB/s, 10 MB at 17. */
export const pictureUpload: Upload = {
  types: pictureTypes,
  mostBytes: mostPictureMegabytes * 1024 * 1024,
  withinMs: 10 * 60_000,
}
