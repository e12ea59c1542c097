import { isRefused } from './answers.ts'
import { tasksHeld } from './held.ts'
import { isUnsent, type KeptFile } from './kept.ts'
import { fileOf } from './op.ts'
import type { Photos } from './photos.ts'
import { type Ports, type Server, timeOf } from './ports.ts'
import { awbOf } from './settle.ts'
import { readDay, readSession } from './store.ts'

/** Sends the pictures that wait, the oldest first, each after the step that names it. */
export function createPictureSending({ store, connect, clock, news, isOnMobileData }: Ports, photos: Photos) {
  const findNext = () =>
    store.read(async (shelves) => {
      const session = await readSession(shelves)
      const day = await readDay(shelves)
      if (!session?.token || !day) return undefined
      const ops = await shelves.ops.getAll()
      const held = tasksHeld(ops)
      const named = new Set(ops.map(({ op }) => fileOf(op)))
      const isNext = (file: KeptFile) =>
        file.driverId === session.driverId &&
        isUnsent(file) &&
        photos.mayGo(file) &&
        !held.has(file.taskId) &&
        !named.has(file.fileId)
      const [file] = (await shelves.files.getAll())
        .filter(isNext)
        .sort((one, other) => one.takenAt.localeCompare(other.takenAt))
      return file && { token: session.token, settings: day.settings, file }
    })

  async function send(server: Server, file: KeptFile, isKeptAfter: boolean) {
    const { fileId, driverId, taskId } = file
    const bytes = await store.read(({ pictures }) => pictures.get(fileId))
    try {
      const type = file.kind === 'signature' ? 'image/png' : 'image/jpeg'
      if (bytes) await server.uploadFile({ params: { fileId }, bytes: new Blob([bytes], { type }) })
    } catch (error) {
      if (!isRefused(error)) throw error
      const { code, message } = error
      // It stays on the phone until the driver has seen that.
      return store.change(async (shelves) => {
        await shelves.files.put({ ...file, isOffered: true, isRefused: true })
        await shelves.refused.add({
          driverId,
          fileId,
          taskId,
          awb: await awbOf(shelves, taskId),
          error: { code, message },
          isConflict: false,
          at: timeOf(clock),
        })
      })
    }
    return store.change(async ({ files, pictures, tasks }) => {
      await files.put({ ...file, isOffered: true, sentAt: timeOf(clock) })
      if (!isKeptAfter || !(await tasks.get(taskId))) await pictures.delete(fileId)
    })
  }

  return async () => {
    for (;;) {
      const next = await findNext()
      if (!next || (next.settings.uploadPhotosOnWifi && isOnMobileData())) return
      if (!(await photos.offerPicture(next.file))) continue
      await send(connect(next.token), next.file, !next.settings.autoDeletePhotosFromApp)
      news.tell()
    }
  }
}
