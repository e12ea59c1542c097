import { Flashlight, FlashlightOff } from 'lucide-react'
import { useState } from 'react'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/driver.ts'
import type { Camera } from './camera.ts'

export const roundButton =
  'grid size-14 shrink-0 place-items-center rounded-full border border-line-strong bg-surface text-ink'

/** Switches the light of a camera on and off; nothing where it has none. */
export function Light({ camera, className }: { camera: Camera | undefined; className?: string }) {
  const say = useSay()
  const [lit, setLit] = useState<Camera>()
  if (!camera?.setLight) return null
  const isLit = lit === camera
  const toggle = () =>
    void camera.setLight?.(!isLit).then(
      () => setLit(isLit ? undefined : camera),
      () => {},
    )
  return (
    <button
      type="button"
      aria-pressed={isLit}
      aria-label={say('cameraLight')}
      onClick={toggle}
      className={join(roundButton, className)}
    >
      {isLit ? <FlashlightOff aria-hidden /> : <Flashlight aria-hidden />}
    </button>
  )
}
