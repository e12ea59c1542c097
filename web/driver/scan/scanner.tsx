import { Flashlight, FlashlightOff } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSay, type Word } from '../../words/words.ts'
import { type Camera, cameraProblem, openCamera } from './camera.ts'
import { openReader, type Reader } from './reader.ts'

const readEveryMs = 150
/** A parcel that stays in the picture is told once; it is told again if it comes back after this long. */
const sameCodeMs = 3_000

/** The camera, looking for a code. What it cannot do it says; typing the code is up to the page around it. */
export default function Scanner({ onCode }: { onCode: (code: string) => void }) {
  const say = useSay()
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<Word>('cameraStarting')
  const [camera, setCamera] = useState<Camera>()
  const [isLit, setLit] = useState(false)
  const isVisible = useVisibility()
  const found = useEffectEvent((code: string) => {
    navigator.vibrate?.(60)
    onCode(code)
  })

  useEffect(() => {
    const screen = video.current
    // A camera that runs in a pocket empties the battery, and an iPhone freezes it anyway.
    if (!isVisible || !screen) return
    const leaving = new AbortController()
    run(screen, leaving.signal, { onCamera: setCamera, onState: setState, onCode: found })
    return () => leaving.abort()
  }, [isVisible])

  const toggleLight = async () => {
    await camera?.setLight?.(!isLit).then(
      () => setLit(!isLit),
      () => {},
    )
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="relative aspect-[4/3] max-h-[45vh] overflow-hidden rounded-xl bg-black">
        <video ref={video} aria-label={say('cameraView')} muted playsInline className="size-full object-cover" />
        {camera?.setLight && (
          <button
            type="button"
            aria-pressed={isLit}
            aria-label={say('cameraLight')}
            onClick={() => void toggleLight()}
            className="absolute right-2 bottom-2 grid size-14 place-items-center rounded-full bg-surface text-ink"
          >
            {isLit ? <FlashlightOff aria-hidden /> : <Flashlight aria-hidden />}
          </button>
        )}
      </div>
      <p role="status" className="min-h-12 text-ink-soft">
        {say(state)}
      </p>
    </div>
  )
}

interface Listener {
  onCamera: (camera: Camera | undefined) => void
  onState: (state: Word) => void
  onCode: (code: string) => void
}

/** From the camera's start to its end. */
async function run(screen: HTMLVideoElement, leaving: AbortSignal, { onCamera, onState, onCode }: Listener) {
  let camera: Camera
  try {
    camera = await openCamera()
  } catch (error) {
    if (!leaving.aborted) onState(cameraProblem(error))
    return
  }
  const stop = () => {
    camera.stop()
    screen.srcObject = null
    onCamera(undefined)
  }
  if (leaving.aborted) return stop()
  leaving.addEventListener('abort', stop)
  screen.srcObject = camera.stream
  onCamera(camera)
  try {
    const [reader] = await Promise.all([openReader(), screen.play()])
    if (!leaving.aborted) onState('cameraReady')
    await readUntil(leaving, screen, reader, onCode)
  } catch {
    if (!leaving.aborted) onState('decoderMissing')
  }
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

function useVisibility() {
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isVisible
}
