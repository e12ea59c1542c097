import type { KeyboardEvent } from 'react'
import { useDispatch } from '../../day/dispatch.tsx'
import { idsOf } from './blocks.ts'
import type { Lane } from './lanes.ts'
import type { Moves } from './use-moves.ts'

/** The keys on a block: arrows move the focus, Alt with left and right reorders, Enter opens, Space selects. */
export function useBlockKeys(
  scroller: HTMLElement | null,
  lanes: Lane[],
  moves: Moves,
  scrollToLane: (index: number) => void,
  press: (option: HTMLElement) => void,
) {
  const { selection } = useDispatch()
  const focus = (id: number | undefined) => {
    if (id === undefined) return
    selection.setCursor(id)
    scroller?.querySelector<HTMLElement>(`[role=option][data-tasks~="${id}"]`)?.focus()
  }

  return (event: KeyboardEvent<HTMLElement>) => {
    const option = (event.target as HTMLElement).closest<HTMLElement>('[role=option]')
    const id = Number(option?.dataset['task'])
    const at = lanes.findIndex(({ blocks }) => blocks.some((one) => one.id === id))
    const lane = lanes[at]
    if (!option || !lane) return
    const { blocks } = lane
    const place = blocks.findIndex((one) => one.id === id)
    const block = blocks[place] as Lane['blocks'][number]

    const walk = (to: number) => focus(blocks[Math.max(0, Math.min(blocks.length - 1, to))]?.id)
    const climb = (by: 1 | -1) => {
      const rest = by > 0 ? lanes.slice(at + 1) : lanes.slice(0, at).reverse()
      const next = rest.find((one) => one.blocks.length > 0)
      if (!next) return
      scrollToLane(lanes.indexOf(next))
      const distance = (one: Lane['blocks'][number]) => Math.abs(one.start - block.start)
      const nearest = next.blocks.reduce((best, one) => (distance(one) < distance(best) ? one : best))
      requestAnimationFrame(() => focus(nearest.id))
    }
    // The block moves along the lane, and a DOM node loses the focus when it is moved.
    const reorder = (by: 1 | -1) => void moves.step(lane, block, by).then(() => requestAnimationFrame(() => focus(id)))

    const keys: Record<string, () => void> = event.altKey
      ? { ArrowLeft: () => reorder(-1), ArrowRight: () => reorder(1) }
      : {
          ArrowLeft: () => walk(place - 1),
          ArrowRight: () => walk(place + 1),
          ArrowUp: () => climb(-1),
          ArrowDown: () => climb(1),
          Home: () => walk(0),
          End: () => walk(blocks.length - 1),
          Enter: () => press(option),
          ' ': () => selection.toggle(idsOf(block), event.shiftKey),
        }
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
}
