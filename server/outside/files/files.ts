import { join } from 'node:path'
import type { Outside } from '../fetch.ts'
import { openFolder } from './folder.ts'
import { openS3, type S3Options } from './s3.ts'
import type { FileStore } from './store.ts'

/** The store of this installation. */
export const openFiles = (outside: Outside, dataFolder: string, s3: S3Options | undefined): FileStore =>
  s3 ? openS3(outside, s3) : openFolder(join(dataFolder, 'files'))
