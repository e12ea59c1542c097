import type { Lane } from './lanes.ts'
import type { Scale } from './scale.ts'

/** A label below the blocks of a lane: how late a stop is, or how long the trip to it takes. */
export interface Label {
  key: string
  left: number
  width: number
  text: string
  isLate: boolean
}

/** For letters ten pixels high, rounded up. */
const digitPx = 7
const minPx = 24
const gap = 3

/** Only those that fit: delays first, then trips, as `12 min`, or `12`, or nothing. */
export function labelsOf({ blocks, ways }: Pick<Lane, 'blocks' | 'ways'>, scale: Pick<Scale, 'x' | 'width'>): Label[] {
  const placed: Label[] = []
  const place = (label: Label) => {
    const isFree = placed.every(
      ({ left, width }) => label.left >= left + width + gap || label.left + label.width + gap <= left,
    )
    if (isFree) placed.push(label)
    return isFree
  }
  for (const { id, start, lateSeconds } of blocks) {
    if (lateSeconds === 0) continue
    const text = `+${lateSeconds / 60}`
    const width = text.length * digitPx
    place({ key: `late-${id}`, left: Math.min(scale.x(start), scale.width - width), width, text, isLate: true })
  }
  for (const { to, start, end, minutes } of ways) {
    const [from, until] = [scale.x(start), scale.x(end)]
    if (minutes < 1) continue
    const digits = String(minutes)
    for (const [text, width] of [
      [`${digits} min`, digits.length * digitPx + minPx],
      [digits, digits.length * digitPx],
    ] as const) {
      if (width > until - from) continue
      if (place({ key: `way-${to}`, left: (from + until - width) / 2, width, text, isLate: false })) break
    }
  }
  return placed
}
