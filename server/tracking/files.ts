import { Refusal } from '../../contract/errors.ts'
import { downloadOf } from '../files/download.ts'
import { findFile } from '../files/queries.ts'
import { see } from './see.ts'
import type { Tracked } from './tracked.ts'

/** A picture, if the page shows it at this moment: the logo, the driver's, and after the end the photos. */
export async function showFile(tracked: Tracked, { uuid, fileId }: { uuid: string; fileId: string }, size?: string) {
  const { company, driver, photos } = await see(tracked)
  const shown = [company.logo, driver?.avatar, ...photos]
  const { context, organisation } = tracked
  const id = fileId.toLowerCase()
  const file = shown.includes(`/t/${uuid}/files/${id}`) ? await findFile(context.db, organisation.id, id) : undefined
  if (!file) throw new Refusal('FILE_NOT_FOUND')
  return downloadOf(context, file, size)
}
