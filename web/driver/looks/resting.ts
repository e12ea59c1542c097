import { type MouseEvent, useSyncExternalStore } from 'react'

/*
 * The big button stays under the thumb and becomes the next step. A tap right after another one at the same place was
 * meant for what was there before, so it does not count, and neither does any of a quick series.
 */

const pauseMs = 700
const samePlacePx = 40
let last = { x: 0, y: 0 }
let isResting = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function setResting(is: boolean) {
  isResting = is
  for (const listener of listeners) listener()
}

type Tapped = Pick<MouseEvent, 'clientX' | 'clientY'>

/** A key has no place, and nobody presses it by mistake for the next step. */
const isEcho = ({ clientX: x, clientY: y }: Tapped) =>
  isResting && (x !== 0 || y !== 0) && Math.hypot(x - last.x, y - last.y) < samePlacePx

/** Whether a tap on a big button counts; either way the pause begins anew. */
export function takeTap(event: Tapped): boolean {
  const counts = !isEcho(event)
  last = { x: event.clientX, y: event.clientY }
  clearTimeout(timer)
  timer = setTimeout(() => setResting(false), pauseMs)
  setResting(true)
  return counts
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether big buttons rest after a tap. */
export const useResting = () => useSyncExternalStore(subscribe, () => isResting)
