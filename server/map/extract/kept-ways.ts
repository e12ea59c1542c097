import { readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { lastUpTo, writeAll } from './coordinates.ts'

/* The ways that relations put areas together from, on disk until the relations come. */

export interface KeptWay {
  firstNodeId: number
  lastNodeId: number
  /** Latitude and longitude in ten-millionths of a degree, one after the other. */
  points: Int32Array
}

export interface KeptWays {
  /** Ids must be larger than all before. */
  keep(id: number, way: KeptWay): Promise<void>
  find(id: number): KeptWay | undefined
  /** Before the first one is looked for. */
  flush(): Promise<void>
  close(): Promise<void>
}

const blockBytes = 1 << 20

export async function openKeptWays(folder: string): Promise<KeptWays> {
  const file = await open(join(folder, 'ways'), 'w+')
  const kept = { ids: new Numbers(), firsts: new Numbers(), lasts: new Numbers(), ends: new Numbers() }
  let [waiting, waitingBytes, written] = [[] as Buffer[], 0, 0]

  async function flush() {
    if (waitingBytes === 0) return
    const block = Buffer.concat(waiting)
    ;[waiting, waitingBytes] = [[], 0]
    await writeAll(file, block, written)
    written += block.length
  }
  return {
    async keep(id, { firstNodeId, lastNodeId, points }) {
      kept.ids.push(id)
      kept.firsts.push(firstNodeId)
      kept.lasts.push(lastNodeId)
      waiting.push(Buffer.from(points.buffer, points.byteOffset, points.byteLength))
      waitingBytes += points.byteLength
      kept.ends.push(written + waitingBytes)
      if (waitingBytes >= blockBytes) await flush()
    },
    find(id) {
      const place = lastUpTo(kept.ids.list(), id)
      if (place < 0 || kept.ids.list()[place] !== id) return undefined
      const ends = kept.ends.list()
      const start = place === 0 ? 0 : (ends[place - 1] as number)
      const points = new Int32Array(((ends[place] as number) - start) / 4)
      // Waiting for each of a million small reads takes ten times as long as the reads.
      readSync(file.fd, points, 0, points.byteLength, start)
      return {
        firstNodeId: kept.firsts.list()[place] as number,
        lastNodeId: kept.lasts.list()[place] as number,
        points,
      }
    },
    flush,
    close: () => file.close(),
  }
}

/** A list of numbers that takes eight bytes for each. */
export class Numbers {
  private space = new Float64Array(1024)
  length = 0

  push(number: number) {
    if (this.length === this.space.length) {
      const larger = new Float64Array(this.space.length * 2)
      larger.set(this.space)
      this.space = larger
    }
    this.space[this.length] = number
    this.length += 1
  }

  list(): Float64Array {
    return this.space.subarray(0, this.length)
  }
}
