import {
  AttributionControl,
  addProtocol,
  type LayerSpecification,
  Map as MapLibre,
  ScaleControl,
  type SourceSpecification,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { Colours } from './colours.ts'
import type { Ground } from './ground/ground.ts'
import { drawGroundImage } from './ground/images.ts'
import { protocol } from './ground/pmtiles.ts'
import { worldSource } from './ground/world.ts'
import './map-styles.css'

setWorkerUrl(workerUrl)

/**
 * Makes the thread that reads tiles a part of this page, and so of its service worker, which has the file of the thread
 * and keeps the tiles. A thread with an address of its own belongs to the service worker of that address, if any.
 */
export async function adoptThread() {
  if (!import.meta.env.PROD) return
  const script = await fetch(workerUrl)
  if (!script.ok) throw new Error(`${workerUrl} answered ${script.status}`)
  setWorkerUrl(URL.createObjectURL(await script.blob()))
}

addProtocol('pmtiles', protocol.tile)

export interface Stage {
  map: MapLibre
  /** Increases whenever a new style is loaded, which empties the sources: fill them again. */
  edition: number
}

/** Romania, until there is something to show on the map. */
const nowhere = { center: [25, 45.9] as [number, number], zoom: 5.5 }

/** What an app draws on the map itself. */
export interface Overlay {
  sources: Record<string, SourceSpecification>
  layersOf: (colours: Colours) => LayerSpecification[]
  /** The image with that name, or undefined if it is none of theirs. */
  drawImage: (name: string, colours: Colours) => ImageData | undefined
  /** Pixels of an image per pixel of the page. */
  imageRatio: number
}

/** For an app that has only markers. */
const nothing: Overlay = { sources: {}, layersOf: () => [], drawImage: () => undefined, imageRatio: 1 }

interface Options {
  /** The same object every time. */
  overlay?: Overlay
  unit: Unit
  /** What the map is called for those who cannot see it. */
  label: string
  /** The attribution, which must not be covered, is at the lower right. */
  scaleAt?: 'bottom-left' | 'top-left'
}

/** The map in a container, with what the app draws on top. Undefined until it is ready. */
export function useStage(
  container: RefObject<HTMLDivElement | null>,
  ground: Ground,
  colours: Colours,
  { overlay = nothing, unit, label, scaleAt = 'bottom-left' }: Options,
): Stage | undefined {
  const [map, setMap] = useState<MapLibre>()
  const [edition, setEdition] = useState(0)
  const latest = useRef({ colours, theme: ground.theme })
  latest.current = { colours, theme: ground.theme }

  useEffect(() => {
    const made = createMap(container.current as HTMLDivElement)
    made.setMissingStyleImageResolver((name) => {
      if (made.hasImage(name)) return
      const image = overlay.drawImage(name, latest.current.colours)
      if (image) return void made.addImage(name, image, { pixelRatio: overlay.imageRatio })
      const ofGround = drawGroundImage(name, latest.current.theme)
      if (ofGround) made.addImage(name, ofGround.image, ofGround.options)
    })
    made.on('style.load', () => setEdition((before) => before + 1))
    setMap(made)
    return () => made.remove()
  }, [container, overlay])

  useEffect(() => map?.getCanvas().setAttribute('aria-label', label), [map, label])

  useEffect(() => {
    map?.setStyle(withOverlay(ground.style, overlay, colours), { diff: false })
  }, [map, ground.style, overlay, colours])

  useScale(map, unit, scaleAt)
  useGivingUp(map, ground, overlay)
  return useMemo(() => (map && edition > 0 ? { map, edition } : undefined), [map, edition])
}

function createMap(container: HTMLDivElement): MapLibre {
  const map = new MapLibre({
    container,
    ...nowhere,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    doubleClickZoom: false,
    maxPitch: 0,
    fadeDuration: 0,
    renderWorldCopies: false,
    // A box drawn with Shift is handled by the listener for `boxzoomend`.
    boxZoom: { boxZoomEnd: (_map, from, to, event) => boxListeners.get(map)?.(from, to, event) },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  // Always open: the providers require it, and a button to hide it is one more tab stop.
  map.addControl(new AttributionControl({ compact: false }), 'bottom-right')
  return map
}

type Unit = 'metric' | 'imperial'
/** The units of the scale, by the setting of the organisation. */
export const unitOf = (preferred: string | undefined): Unit => (preferred === 'imperial' ? 'imperial' : 'metric')

function useScale(map: MapLibre | undefined, unit: Unit, at: 'bottom-left' | 'top-left') {
  useEffect(() => {
    if (!map) return undefined
    const scale = new ScaleControl({ maxWidth: 110, unit })
    map.addControl(scale, at)
    return () => void (map.hasControl(scale) && map.removeControl(scale))
  }, [map, unit, at])
}

type BoxListener = (from: { x: number; y: number }, to: { x: number; y: number }, event: MouseEvent) => void
const boxListeners = new WeakMap<MapLibre, BoxListener>()
/** What to do with a box drawn with Shift. The library accepts it only when the map is created. */
export const onBox = (map: MapLibre, listener: BoxListener) => void boxListeners.set(map, listener)

const withOverlay = (
  ground: StyleSpecification,
  { sources, layersOf }: Overlay,
  colours: Colours,
): StyleSpecification => ({
  ...ground,
  sources: { ...ground.sources, ...sources },
  layers: [...ground.layers, ...layersOf(colours)],
})

const enoughFailures = 3

/** A style whose tiles fail before any was loaded is not usable. */
function useGivingUp(map: MapLibre | undefined, { kind, giveUp }: Ground, { sources }: Overlay) {
  useEffect(() => {
    if (!map) return undefined
    const isLast = kind === 'waiting' || kind === 'world'
    let failures = 0
    // Without the world below them, streets are still a map.
    const isOurs = (sourceId: string | undefined) =>
      sourceId === undefined || sourceId === worldSource || sourceId in sources
    const onError = (event: { sourceId?: string; error?: Error }) => {
      if (isLast || isOurs(event.sourceId)) return
      failures += 1
      if (failures >= (kind === 'tiles' ? 1 : enoughFailures)) giveUp()
    }
    const onData = (event: { sourceId?: string; tile?: unknown }) => {
      if (event.tile && !isOurs(event.sourceId)) failures = Number.NEGATIVE_INFINITY
    }
    map.on('error', onError as never)
    map.on('sourcedata', onData as never)
    return () => {
      map.off('error', onError as never)
      map.off('sourcedata', onData as never)
    }
  }, [map, kind, giveUp, sources])
}
