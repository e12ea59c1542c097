import { type RefObject, useEffect, useState } from 'react'
import type { Word } from '../../words/driver.ts'

/** What is in front of the driver, or the driver. */
export type Facing = 'environment' | 'user'

/** A camera that is running. */
export interface Camera {
  stream: MediaStream
  /** Undefined if it has no light. */
  setLight: ((isOn: boolean) => Promise<void>) | undefined
  /** Whether there is another camera to look through. */
  hasOther: boolean
  stop(): void
}

interface LightCapabilities extends MediaTrackCapabilities {
  torch?: boolean
}

/** More pixels than a code needs take longer to read; a photo gets all that are kept of it. */
export const widthFor = { code: 1_280, photo: 2_048 } as const

async function openCamera(facing: Facing, width: number): Promise<Camera> {
  // Undefined where the page is not secure.
  const devices: MediaDevices | undefined = navigator.mediaDevices
  if (!devices) throw new DOMException('There is no camera here', 'NotFoundError')
  const stream = await devices.getUserMedia({
    audio: false,
    video: { facingMode: facing, width: { ideal: width }, height: { ideal: (width * 3) / 4 } },
  })
  const [track] = stream.getVideoTracks()
  const all = await devices.enumerateDevices().catch(() => [])
  const { torch } = (track?.getCapabilities?.() ?? {}) as LightCapabilities
  return {
    stream,
    setLight: torch
      ? (isOn) =>
          (track as MediaStreamTrack).applyConstraints({ advanced: [{ torch: isOn } as MediaTrackConstraintSet] })
      : undefined,
    hasOther: all.filter(({ kind }) => kind === 'videoinput').length > 1,
    stop() {
      for (const one of stream.getTracks()) one.stop()
    },
  }
}

const problems: Record<string, Word> = {
  NotAllowedError: 'cameraDenied',
  SecurityError: 'cameraDenied',
  NotFoundError: 'cameraMissing',
  OverconstrainedError: 'cameraMissing',
  NotReadableError: 'cameraBusy',
  AbortError: 'cameraBusy',
}

/** Why there is no picture, in words. */
const cameraProblem = (error: unknown): Word => problems[(error as Error | undefined)?.name ?? ''] ?? 'cameraBusy'

/** Shows what a camera sees on a video as long as the page is on the screen, or says why not. */
export function useCamera(screen: RefObject<HTMLVideoElement | null>, width: number, facing: Facing = 'environment') {
  const [camera, setCamera] = useState<Camera>()
  const [problem, setProblem] = useState<Word>()
  const isVisible = useVisibility()
  useEffect(() => {
    const video = screen.current
    // A camera that runs in a pocket empties the battery, and an iPhone freezes it anyway.
    if (!isVisible || !video) return
    const leaving = new AbortController()
    setProblem(undefined)
    show(video, facing, width, leaving.signal).then(
      (opened) => opened && setCamera(opened),
      (error: unknown) => leaving.signal.aborted || setProblem(cameraProblem(error)),
    )
    return () => {
      leaving.abort()
      setCamera(undefined)
    }
  }, [screen, isVisible, facing, width])
  return { camera, problem }
}

/** The camera, once its picture is there; undefined if nobody wants it any more. */
async function show(video: HTMLVideoElement, facing: Facing, width: number, leaving: AbortSignal) {
  const camera = await openCamera(facing, width)
  const stop = () => {
    camera.stop()
    if (video.srcObject === camera.stream) video.srcObject = null
  }
  leaving.addEventListener('abort', stop)
  if (leaving.aborted) return stop()
  video.srcObject = camera.stream
  await video.play()
  return leaving.aborted ? undefined : camera
}

function useVisibility() {
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isVisible
}
