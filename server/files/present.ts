import { filePath, type StoredFile } from '../../contract/file.ts'
import type { FileRow } from './queries.ts'

/** A file whose bytes are here. */
export const presentFile = (file: FileRow): StoredFile => ({
  id: file.id,
  path: filePath(file.id),
  type: file.type ?? '',
  bytes: file.bytes ?? 0,
  width: file.width ?? 0,
  height: file.height ?? 0,
  createdAt: file.created_at.toISOString(),
})
