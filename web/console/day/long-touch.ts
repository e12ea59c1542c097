import { type MouseEvent, type PointerEvent, useRef } from 'react'
import { useDispatch } from './dispatch.tsx'

const longMs = 500
/** A finger never lies quite still. */
const wobble = 10

/** One task, or all of a stop. */
function tasksAt(target: EventTarget): number[] {
  const { task = '', tasks = task } = (target as HTMLElement).closest<HTMLElement>('[data-task]')?.dataset ?? {}
  return tasks === '' ? [] : tasks.split(' ').map(Number)
}

/** For the element around tasks: a long touch selects one, or a stop, as Ctrl and a click do. What follows it is no click. */
export function useLongTouch() {
  const { selection } = useDispatch()
  const touch = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout>; isLong: boolean }>(undefined)
  const end = () => clearTimeout(touch.current?.timer)
  return {
    onPointerDown: (event: PointerEvent) => {
      end()
      const ids = tasksAt(event.target)
      touch.current = undefined
      if (event.pointerType !== 'touch' || ids.length === 0) return
      const begun = { x: event.clientX, y: event.clientY, isLong: false }
      const timer = setTimeout(() => {
        if (touch.current) touch.current.isLong = true
        selection.toggle(ids)
      }, longMs)
      touch.current = { ...begun, timer }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { current } = touch
      if (current && Math.hypot(clientX - current.x, clientY - current.y) > wobble) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu: (event: MouseEvent) => touch.current && event.preventDefault(),
    onClickCapture: (event: MouseEvent) => {
      if (!touch.current?.isLong) return
      touch.current = undefined
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
