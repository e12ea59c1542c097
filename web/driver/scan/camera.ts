import type { Word } from '../../words/words.ts'

/** A camera that is running. */
export interface Camera {
  stream: MediaStream
  /** Undefined if it has no light. */
  setLight: ((isOn: boolean) => Promise<void>) | undefined
  stop(): void
}

interface LightCapabilities extends MediaTrackCapabilities {
  torch?: boolean
}

export async function openCamera(): Promise<Camera> {
  // Undefined where the page is not secure.
  const devices: MediaDevices | undefined = navigator.mediaDevices
  if (!devices) throw new DOMException('There is no camera here', 'NotFoundError')
  const stream = await devices.getUserMedia({
    audio: false,
    video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
  })
  const [track] = stream.getVideoTracks()
  const { torch } = (track?.getCapabilities?.() ?? {}) as LightCapabilities
  return {
    stream,
    setLight: torch
      ? (isOn) =>
          (track as MediaStreamTrack).applyConstraints({ advanced: [{ torch: isOn } as MediaTrackConstraintSet] })
      : undefined,
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
export const cameraProblem = (error: unknown): Word =>
  problems[(error as Error | undefined)?.name ?? ''] ?? 'cameraBusy'
