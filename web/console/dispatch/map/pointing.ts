import type { MapMouseEvent } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import type { Task } from '../../../api/data.ts'
import { onBox, type Stage } from '../../../map/stage.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { taskLayers } from './layers.ts'
import { pileWith, pointOf } from './pins.ts'

interface Spot {
  x: number
  y: number
}
/** The task under the pointer. */
export type Hovered = Spot & { task: Task; others: number }
/** Several tasks on one spot, opened to choose from. */
export interface OpenPile {
  tasks: Task[]
  point: [number, number]
}

const reach = 3

/** Selecting and opening tasks on the map: hover, click, double click, Enter, and a box drawn with Shift. */
export function usePointing(stage: Stage | undefined, piles: Map<string, Task[]>) {
  const dispatch = useDispatch()
  const [hovered, setHovered] = useState<Hovered>()
  const [pile, setPile] = useState<OpenPile>()
  const latest = useRef({ dispatch, piles })
  latest.current = { dispatch, piles }
  const map = stage?.map

  useEffect(() => {
    if (!map) return undefined
    const canvas = map.getCanvas()

    const taskAt = ({ x, y }: Spot): Task | undefined => {
      const layers = taskLayers.filter((layer) => map.getLayer(layer))
      const box: [[number, number], [number, number]] = [
        [x - reach, y - reach],
        [x + reach, y + reach],
      ]
      const found = map.queryRenderedFeatures(box, { layers })
      const inOrder = found.sort((one, other) => layers.indexOf(one.layer.id) - layers.indexOf(other.layer.id))
      return latest.current.dispatch.byId.get(Number(inOrder[0]?.properties['id']))
    }

    const hover = (event: MapMouseEvent) => {
      const task = taskAt(event.point)
      canvas.style.cursor = task ? 'pointer' : ''
      const others = task ? pileWith(latest.current.piles, task).length - 1 : 0
      setHovered((before) =>
        before?.task === task ? before : task && { ...map.project(pointOf(task)!), task, others },
      )
    }
    const leave = () => setHovered(undefined)

    const choose = (spot: Spot, event: MouseEvent) => {
      const { selection } = latest.current.dispatch
      const task = taskAt(spot)
      if (!task) {
        if (!event.shiftKey && !event.ctrlKey && !event.metaKey) selection.clear()
        return setPile(undefined)
      }
      selection.click(task.id, event)
      const together = pileWith(latest.current.piles, task)
      setPile(together.length > 1 ? { tasks: together, point: pointOf(task)! } : undefined)
    }
    const click = (event: MapMouseEvent) => choose(event.point, event.originalEvent)
    // With Shift the library expects a box, and reports a click without a drag as a cancelled box.
    const shiftClick = ({ originalEvent }: { originalEvent: MouseEvent }) => {
      const frame = canvas.getBoundingClientRect()
      choose({ x: originalEvent.clientX - frame.left, y: originalEvent.clientY - frame.top }, originalEvent)
    }
    const open = (event: MapMouseEvent) => {
      const task = taskAt(event.point)
      if (task) latest.current.dispatch.change({ task: task.id }, false)
    }
    const press = (event: KeyboardEvent) => {
      const { selection, change } = latest.current.dispatch
      const task = selection.cursor ?? selection.tasks[0]?.id
      if (event.key === 'Enter' && task) {
        // Otherwise the same keystroke would press the button that gets the focus in the panel.
        event.preventDefault()
        change({ task }, false)
      }
      if (event.key === 'Escape') {
        selection.clear()
        setPile(undefined)
      }
    }

    onBox(map, (from, to, event) => {
      const { tasks, selection } = latest.current.dispatch
      const inside = tasks
        .filter((task) => isInside(map.project(pointOf(task) ?? [0, -90]), from, to))
        .map(({ id }) => id)
      selection.set(event.ctrlKey || event.metaKey ? [...selection.ids, ...inside] : inside)
    })
    map.on('mousemove', hover)
    map.on('movestart', leave)
    map.on('click', click)
    map.on('boxzoomcancel', shiftClick as never)
    map.on('dblclick', open)
    canvas.addEventListener('mouseleave', leave)
    canvas.addEventListener('keydown', press)
    return () => {
      map.off('mousemove', hover)
      map.off('movestart', leave)
      map.off('click', click)
      map.off('boxzoomcancel', shiftClick as never)
      map.off('dblclick', open)
      canvas.removeEventListener('mouseleave', leave)
      canvas.removeEventListener('keydown', press)
    }
  }, [map])

  return { hovered, pile, closePile: () => setPile(undefined) }
}

const between = (value: number, one: number, other: number) =>
  value >= Math.min(one, other) && value <= Math.max(one, other)
const isInside = (spot: Spot, from: Spot, to: Spot) => between(spot.x, from.x, to.x) && between(spot.y, from.y, to.y)
