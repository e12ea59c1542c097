import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSay } from '../../words/driver.ts'
import { useCamera, widthFor } from '../camera/camera.ts'
import { Light } from '../camera/light.tsx'
import { openReader, type Reader } from './reader.ts'

const readEveryMs = 150
/** A parcel that stays in the picture is told once; it is told again if it comes back after this long. */
const sameCodeMs = 3_000

/** The camera, looking for a code. What it cannot do it says; typing the code is up to the page around it. */
export default function Scanner({ onCode }: { onCode: (code: string) => void }) {
  const say = useSay()
  const video = useRef<HTMLVideoElement>(null)
  const { camera, problem } = useCamera(video, widthFor.code)
  const [reading, setReading] = useState<'cameraReady' | 'decoderMissing'>()
  const found = useEffectEvent((code: string) => {
    navigator.vibrate?.(60)
    onCode(code)
  })

  useEffect(() => {
    const screen = video.current
    if (!camera || !screen) return
    const leaving = new AbortController()
    const read = async () => {
      const reader = await openReader()
      if (leaving.signal.aborted) return
      setReading('cameraReady')
      await readUntil(leaving.signal, screen, reader, found)
    }
    read().catch(() => leaving.signal.aborted || setReading('decoderMissing'))
    return () => {
      leaving.abort()
      setReading(undefined)
    }
  }, [camera])

  return (
    <div className="flex flex-col gap-2">
      <div className="relative aspect-[4/3] max-h-[45vh] overflow-hidden rounded-xl bg-black">
        <video ref={video} aria-label={say('cameraView')} muted playsInline className="size-full object-cover" />
        <Light camera={camera} className="absolute right-2 bottom-2" />
      </div>
      <p role="status" className="min-h-12 text-ink-soft">
        {problem ? `${say(problem)} ${say('typeTheCode')}` : say(reading ?? 'cameraStarting')}
      </p>
    </div>
  )
}

/** A code counts if it is read twice in a row: half a bar code can look like another one. */
async function readUntil(
  leaving: AbortSignal,
  screen: HTMLVideoElement,
  reader: Reader,
  onCode: (code: string) => void,
) {
  let last: string | undefined
  let told: { code: string; seenAt: number } | undefined
  while (!leaving.aborted) {
    const [code] = await reader.read(screen).catch((): string[] => [])
    if (leaving.aborted) return
    const now = performance.now()
    const isNews = !told || told.code !== code || now - told.seenAt > sameCodeMs
    if (code && code === last) {
      told = { code, seenAt: now }
      if (isNews) onCode(code)
    }
    last = code
    await new Promise((done) => setTimeout(done, readEveryMs))
  }
}
