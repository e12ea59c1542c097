import { Camera, SwitchCamera } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { useSay } from '../../words/driver.ts'
import { plainButton } from '../looks/parts.tsx'
import { Sheet } from '../looks/sheet.tsx'
import { type Facing, useCamera, widthFor } from './camera.ts'
import { fileInput } from './file-input.ts'
import { Light, roundButton } from './light.tsx'
import { scaleFrame, scalePhoto } from './picture.ts'

interface Props {
  /** Called as soon as there is one; its bytes are there when it has been scaled. */
  onPhoto: (bytes: Promise<ArrayBuffer>) => void
  onClose: () => void
}

/** The camera in the page, and the phone's own as the way out where there is none or it is not allowed. */
export function CameraSheet({ onPhoto, onClose }: Props) {
  const say = useSay()
  const video = useRef<HTMLVideoElement>(null)
  const [facing, setFacing] = useState<Facing>('environment')
  const { camera, problem } = useCamera(video, widthFor.photo, facing)
  const shoot = () => {
    if (!camera || !video.current) return
    navigator.vibrate?.(30)
    onPhoto(scaleFrame(video.current))
  }
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (file) onPhoto(scalePhoto(file))
  }
  return (
    <Sheet title={say('takePhoto')} onClose={onClose}>
      <div className={problem ? 'hidden' : 'h-[60vh] overflow-hidden rounded-xl bg-black'}>
        <video ref={video} aria-label={say('cameraView')} muted playsInline className="size-full object-contain" />
      </div>
      <p role="status" className="text-large empty:hidden">
        {problem ? say(problem) : camera ? '' : say('cameraStarting')}
      </p>
      {!problem && (
        <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-3">
          <Light camera={camera} className="justify-self-center" />
          <button
            type="button"
            aria-label={say('shutter')}
            disabled={!camera}
            onClick={shoot}
            className="col-start-2 grid size-18 place-items-center rounded-full border-4 border-line-strong bg-brand text-on-brand disabled:opacity-60"
          >
            <Camera aria-hidden className="size-8" />
          </button>
          {camera?.hasOther && (
            <button
              type="button"
              aria-label={say('otherCamera')}
              onClick={() => setFacing(facing === 'user' ? 'environment' : 'user')}
              className={`${roundButton} justify-self-center`}
            >
              <SwitchCamera aria-hidden />
            </button>
          )}
        </div>
      )}
      <label className={`${plainButton} ${fileInput.around}`}>
        {say('phoneCamera')}
        <input type="file" accept="image/*" capture="environment" onChange={take} className={fileInput.over} />
      </label>
    </Sheet>
  )
}
