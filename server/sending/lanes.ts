import { fetchAhead, firstWindow, nextWindow, smoothedMs } from '../../core/sending-window.ts'
import type { Claimed } from './parts.ts'

/** What we hold for one receiver. */
interface Lane<Delivery> {
  window: number
  /** How long its answers take. */
  answerMs: number
  /** What we hold: waiting, running, or with a result not yet written. */
  held: number
  running: number
  waiting: Delivery[]
}

export interface Lanes<Delivery> {
  /** How many may be fetched for each receiver we know. */
  windows(): Map<number, number>
  add(delivery: Delivery): void
  /** The next one that may be sent now. */
  startNext(receiverId: number): Delivery | undefined
  /** An attempt ended; `answer` is missing if the receiver was not asked, or we aborted it. */
  end(delivery: Delivery, answer?: { wentWell: boolean; tookMs: number }): void
  /** We no longer hold it. */
  drop(delivery: Delivery): void
  hasRoom(delivery: Delivery): boolean
  /** Everything not started yet. */
  takeWaiting(): Delivery[]
}

export function createLanes<Delivery extends Claimed>(): Lanes<Delivery> {
  const lanes = new Map<number, Lane<Delivery>>()
  const roomOf = ({ window, answerMs }: Lane<Delivery>) => fetchAhead(window, answerMs)
  const laneOf = ({ receiverId }: Delivery) =>
    lanes.getOrInsertComputed(receiverId, () => ({
      window: firstWindow,
      answerMs: 0,
      held: 0,
      running: 0,
      waiting: [],
    }))

  return {
    windows: () => new Map([...lanes].map(([id, lane]) => [id, roomOf(lane)])),

    add(delivery) {
      const lane = laneOf(delivery)
      lane.held += 1
      lane.waiting.push(delivery)
    },

    startNext(receiverId) {
      const lane = lanes.get(receiverId)
      if (!lane || lane.running >= lane.window) return undefined
      const delivery = lane.waiting.shift()
      if (delivery) lane.running += 1
      return delivery
    },

    end(delivery, answer) {
      const lane = laneOf(delivery)
      lane.running -= 1
      if (!answer) return
      lane.window = nextWindow(lane.window, answer.wentWell)
      lane.answerMs = smoothedMs(lane.answerMs, answer.tookMs)
    },

    drop(delivery) {
      const lane = laneOf(delivery)
      lane.held -= 1
      if (lane.held === 0 && lane.window <= firstWindow) lanes.delete(delivery.receiverId)
    },

    /** A claim costs about the same for one as for a hundred, so a lane is refilled when half of it is done. */
    hasRoom({ receiverId }) {
      const lane = lanes.get(receiverId)
      return !lane || lane.held <= roomOf(lane) / 2
    },

    takeWaiting: () => [...lanes.values()].flatMap(({ waiting }) => waiting.splice(0)),
  }
}
