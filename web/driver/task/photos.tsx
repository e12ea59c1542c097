import { Camera, Images } from 'lucide-react'
import { type ChangeEvent, useEffect, useState } from 'react'
import type { Action } from '../../../phone/keep.ts'
import type { FileKind } from '../../../phone/kept.ts'
import { NotKept } from '../../../phone/trouble.ts'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/driver.ts'
import { CameraSheet } from '../camera/camera-sheet.tsx'
import { fileInput } from '../camera/file-input.ts'
import { scalePhoto, Unreadable } from '../camera/picture.ts'
import { useDay } from '../looks/day.ts'
import { Picture } from '../looks/picture.tsx'
import { phone } from '../outbox/phone.ts'
import { PhotoView } from './photo-view.tsx'

/** Photos taken at a stop go when it is left, or when the app is hidden. */
export function usePhotosGoAfter() {
  useEffect(() => {
    const go = () => void (phone.letPhotosGo() && phone.wake())
    const look = () => document.visibilityState === 'hidden' && go()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      go()
    }
  }, [])
}

/** Keeps photos, one after another as they were taken; they are on the phone before anything is shown. */
function useKeep(taskId: number, kind: FileKind, onKept: (fileId: string) => void) {
  const say = useSay()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const keep = async (photos: (() => Promise<ArrayBuffer>)[], replaces?: string) => {
    setBusy(true)
    setProblem('')
    try {
      for (const photo of photos) {
        const fileId = crypto.randomUUID()
        const actions: Action[] = kind === 'photo' ? [{ type: 'photo', taskId, fileId }] : []
        const bytes = await photo()
        phone.holdPhoto(fileId)
        await phone.keepDone(actions, [{ kind, fileId, taskId, bytes }])
        onKept(fileId)
      }
      // Only now: if the new one could not be kept, there is still the old one.
      if (replaces) await phone.deletePhoto(replaces)
    } catch (error) {
      if (!(error instanceof NotKept)) setProblem(say(error instanceof Unreadable ? 'photoUnreadable' : 'wentWrong'))
    } finally {
      setBusy(false)
    }
  }
  return { keep, isBusy, problem }
}

const tile =
  'flex min-h-22 flex-1 basis-24 flex-col items-center justify-center gap-1 rounded-xl border-2 border-line-strong border-dashed ' +
  'bg-surface font-semibold'

interface TakeProps {
  taskId: number
  kind?: FileKind
  /** Whether there is one already. */
  hasSome: boolean
  /** One that is to be taken again: the camera opens for it. */
  again?: string | undefined
  onAgainEnd?: () => void
  onKept?: (fileId: string) => void
}

/** The camera, the gallery, or both, as the organisation has set. */
export function TakePhoto({ taskId, kind = 'photo', hasSome, again, onAgainEnd, onKept = () => {} }: TakeProps) {
  const say = useSay()
  const { imageOption } = useDay().day.settings
  const { keep, isBusy, problem } = useKeep(taskId, kind, onKept)
  const [opens, setOpens] = useState(false)
  const close = () => {
    setOpens(false)
    onAgainEnd?.()
  }
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    // A gallery gives them in any order; the date of a file says when it was taken.
    const files = [...(target.files ?? [])].sort((one, other) => one.lastModified - other.lastModified)
    target.value = ''
    void keep(files.map((file) => () => scalePhoto(file)))
  }
  return (
    <>
      {imageOption !== 'gallery' && (
        <button type="button" className={tile} disabled={isBusy} onClick={() => setOpens(true)}>
          <Camera aria-hidden className="size-6" />
          {say(isBusy ? 'savingPhoto' : hasSome ? 'anotherPhoto' : 'takePhoto')}
        </button>
      )}
      {imageOption !== 'camera' && (
        <label className={join(tile, fileInput.around)}>
          <Images aria-hidden className="size-6" />
          {say(isBusy ? 'savingPhoto' : 'choosePhoto')}
          <input
            type="file"
            accept="image/*"
            multiple={kind === 'photo'}
            disabled={isBusy}
            onChange={choose}
            className={fileInput.over}
          />
        </label>
      )}
      {problem && (
        <p role="alert" className="w-full font-semibold text-bad">
          {problem}
        </p>
      )}
      {(opens || again) && (
        <CameraSheet
          onPhoto={(bytes) => {
            void keep([() => bytes], again)
            close()
          }}
          onClose={close}
        />
      )}
    </>
  )
}

/** The photos of a task that are on this phone, in the order they were taken, and a way to take more. */
export function Photos({ taskId }: { taskId: number }) {
  const say = useSay()
  const { files, day } = useDay()
  const [shown, setShown] = useState<string>()
  const [again, setAgain] = useState<string>()
  const { allowDriverToTakePicturesOnSite: canTake, imageOption } = day.settings
  const photos = files.filter((file) => file.taskId === taskId && file.kind === 'photo')
  const titleOf = (fileId: string) =>
    say('photoNumber', { n: photos.findIndex((photo) => photo.fileId === fileId) + 1 })
  const takeAgain = () => {
    setAgain(shown)
    setShown(undefined)
  }
  return (
    <div className="flex flex-wrap gap-2">
      {photos.map(({ fileId }) => (
        <Picture key={fileId} isHere fileId={fileId} label={titleOf(fileId)} onOpen={() => setShown(fileId)} />
      ))}
      {canTake && (
        <TakePhoto taskId={taskId} hasSome={photos.length > 0} again={again} onAgainEnd={() => setAgain(undefined)} />
      )}
      {shown && (
        <PhotoView
          fileId={shown}
          title={titleOf(shown)}
          onAgain={canTake && imageOption !== 'gallery' ? takeAgain : undefined}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  )
}
