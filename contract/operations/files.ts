import { FileId, PictureSize, pictureUpload, StoredFile } from '../file.ts'
import { reply } from '../schema.ts'
import { Type } from '../type.ts'
import type { Operation } from './operation.ts'

export const fileOperations = {
  createFile: {
    method: 'POST',
    path: '/api/v1/files',
    tag: 'Files',
    summary: 'Upload a picture, to be used as a note’s image, an avatar or a logo',
    scope: 'files:write',
    upload: pictureUpload,
    reply: reply({ file: StoredFile }),
    refuses: ['NOT_A_PICTURE', 'PICTURE_DAMAGED', 'PICTURE_TOO_LARGE'],
  },
  getFile: {
    method: 'GET',
    path: '/files/:fileId',
    tag: 'Files',
    summary: 'Get a stored picture',
    access: 'member',
    params: Type.Object({ fileId: FileId() }),
    query: Type.Object({ size: PictureSize }),
    reply: reply({}),
    download: ['image/jpeg', 'image/png'],
    missing: 'FILE_NOT_FOUND',
    refuses: [],
  },
} as const satisfies Record<string, Operation>
