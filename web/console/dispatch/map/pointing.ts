import type { Point as GeoPoint } from 'geojson'
import type { GeoJSONSource, MapMouseEvent } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import type { Task } from '../../../api/data.ts'
import { onBox, type Stage } from '../../../map/stage.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { usePress } from '../../day/press.ts'
import { clusterLayer, taskLayers } from './layers.ts'
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

/** Opening and selecting tasks on the map: hover, click, Enter, and a box drawn with Shift. */
export function usePointing(stage: Stage | undefined, piles: Map<string, Task[]>) {
  const dispatch = useDispatch()
  const press = usePress()
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

    const clusterAt = ({ x, y }: Spot) =>
      map.getLayer(clusterLayer) && map.queryRenderedFeatures([x, y], { layers: [clusterLayer] })[0]

    /** As near as it takes until the tasks of a cluster stand by themselves, or in smaller ones. */
    const openCluster = async (cluster: NonNullable<ReturnType<typeof clusterAt>>) => {
      const source = map.getSource<GeoJSONSource>(cluster.source)
      const zoom = await source?.getClusterExpansionZoom(Number(cluster.properties['cluster_id']))
      const [lng = 0, lat = 0] = (cluster.geometry as GeoPoint).coordinates
      if (zoom !== undefined) map.easeTo({ center: [lng, lat], zoom: zoom + 0.2, duration: 400 })
    }

    const hover = (event: MapMouseEvent) => {
      const task = taskAt(event.point)
      canvas.style.cursor = task || clusterAt(event.point) ? 'pointer' : ''
      const others = task ? pileWith(latest.current.piles, task).length - 1 : 0
      setHovered((before) =>
        before?.task === task ? before : task && { ...map.project(pointOf(task)!), task, others },
      )
    }
    const leave = () => setHovered(undefined)

    const choose = (spot: Spot, event: MouseEvent) => {
      const { selection } = latest.current.dispatch
      const hasKeys = event.shiftKey || event.ctrlKey || event.metaKey
      const cluster = clusterAt(spot)
      if (cluster) return void openCluster(cluster)
      const task = taskAt(spot)
      if (!task) {
        if (!hasKeys) selection.clear()
        return setPile(undefined)
      }
      const together = pileWith(latest.current.piles, task)
      const isPile = together.length > 1
      // Which of them is meant is chosen from the list.
      if (!isPile || hasKeys) press(task.id, event)
      setPile(isPile ? { tasks: together, point: pointOf(task)! } : undefined)
    }
    // A click on a marker also reaches the map, but means the marker, not the pin below it.
    const click = ({ point, originalEvent }: MapMouseEvent) => {
      if (originalEvent.target === canvas) choose(point, originalEvent)
    }
    // With Shift the library expects a box, and reports a click without a drag as a cancelled box.
    const shiftClick = ({ originalEvent }: { originalEvent: MouseEvent }) => {
      const frame = canvas.getBoundingClientRect()
      choose({ x: originalEvent.clientX - frame.left, y: originalEvent.clientY - frame.top }, originalEvent)
    }
    const onKey = (event: KeyboardEvent) => {
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
    canvas.addEventListener('mouseleave', leave)
    canvas.addEventListener('keydown', onKey)
    return () => {
      map.off('mousemove', hover)
      map.off('movestart', leave)
      map.off('click', click)
      map.off('boxzoomcancel', shiftClick as never)
      canvas.removeEventListener('mouseleave', leave)
      canvas.removeEventListener('keydown', onKey)
    }
  }, [map, press])

  return { hovered, pile, closePile: () => setPile(undefined) }
}

const between = (value: number, one: number, other: number) =>
  value >= Math.min(one, other) && value <= Math.max(one, other)
const isInside = (spot: Spot, from: Spot, to: Spot) => between(spot.x, from.x, to.x) && between(spot.y, from.y, to.y)
