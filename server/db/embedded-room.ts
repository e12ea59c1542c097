import { randomBytes } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/*
 * A PostgreSQL that can no longer write its log stops, and cannot start again either, because starting needs space. So
 * writing stops while a little space is left, and a reserve file next to the data is for the case that the disk fills
 * up faster. Once someone frees space, everything continues automatically.
 */

const megabyte = 1 << 20
/** Three segments of PostgreSQL's log; it needs one to recover. */
const reserveBytes = 48 * megabyte
const leastBytes = 32 * megabyte
/** More than the minimum, so that it does not flip back and forth. */
const enoughBytes = 48 * megabyte
const lookEveryMs = 1_000

export interface RoomOptions {
  /** The data folder, as people know it. */
  folder: string
  cluster: string
  warn: (sentence: string) => void
}

const freeBytes = async (folder: string) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const reserveOf = (cluster: string) => join(cluster, 'waybill-reserve')

/** Gives the reserve to a server that cannot start because the disk is full. False if there is space. */
export async function giveReserve(cluster: string): Promise<boolean> {
  if ((await freeBytes(cluster)) >= leastBytes) return false
  await rm(reserveOf(cluster), { force: true })
  return true
}

export async function watchRoom({ folder, cluster, warn }: RoomOptions) {
  const stopping = new AbortController()
  let isFull = false

  async function look() {
    const free = await freeBytes(cluster)
    const { size } = await stat(reserveOf(cluster)).catch(() => ({ size: 0 }))
    const missing = reserveBytes - size
    if (free < leastBytes) setFull(true)
    else if (free >= enoughBytes + missing) {
      if (missing > 0) await makeReserve(cluster)
      setFull(false)
    }
  }

  function setFull(now: boolean) {
    if (now !== isFull)
      warn(
        now
          ? `The disk that holds ${folder} is full: nothing can be saved until there is space`
          : `There is space again on the disk that holds ${folder}`,
      )
    isFull = now
  }

  async function watch() {
    while (!stopping.signal.aborted) {
      await sleep(lookEveryMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      // If it cannot be checked now, it is checked again in a second.
      await look().catch(() => {})
    }
  }

  setFull((await freeBytes(cluster)) < leastBytes)
  const watching = watch()
  return {
    isFull: () => isFull,
    stop() {
      stopping.abort()
      return watching
    },
  }
}

/** Random bytes, because a file system may store zeros without using space. */
async function makeReserve(cluster: string) {
  const file = await open(reserveOf(cluster), 'w', 0o600)
  try {
    const block = randomBytes(megabyte)
    for (let written = 0; written < reserveBytes; written += megabyte) await file.write(block)
    await file.sync()
  } finally {
    await file.close()
  }
}
