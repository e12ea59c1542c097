import { Camera, Images } from 'lucide-react'
import { type ChangeEvent, useEffect, useState } from 'react'
import { useSay } from '../../words/words.ts'
import { scalePhoto, Unreadable } from '../camera/picture.ts'
import { useDay } from '../looks/day.ts'
import { type Deed, keepDone } from '../outbox/keep.ts'
import { NotKept } from '../outbox/trouble.ts'
import type { FileKind } from '../store/database.ts'
import { database } from '../store/database.ts'

/** Takes a photo, or several, scales them and keeps them; they are on the phone before anything is shown. */
function useTake(taskId: number, kind: FileKind, onKept: (fileId: string) => void) {
  const say = useSay()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const take = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    target.value = ''
    setBusy(true)
    setProblem('')
    try {
      for (const file of files) {
        const fileId = crypto.randomUUID()
        const deeds: Deed[] = kind === 'photo' ? [{ type: 'photo', taskId, fileId }] : []
        await keepDone(deeds, [{ kind, fileId, taskId, bytes: await scalePhoto(file) }])
        onKept(fileId)
      }
    } catch (error) {
      if (!(error instanceof NotKept)) setProblem(say(error instanceof Unreadable ? 'photoUnreadable' : 'wentWrong'))
    } finally {
      setBusy(false)
    }
  }
  return { take, isBusy, problem }
}

const tile =
  'relative flex min-h-22 flex-1 basis-24 flex-col items-center justify-center gap-1 rounded-xl border-2 border-line-strong border-dashed ' +
  'bg-surface font-semibold has-focus-visible:outline-3 has-focus-visible:outline-accent'

interface TakeProps {
  taskId: number
  kind?: FileKind
  /** Whether there is one already. */
  hasSome: boolean
  onKept?: (fileId: string) => void
}

/** The camera, the gallery, or both, as the organisation has set. */
export function TakePhoto({ taskId, kind = 'photo', hasSome, onKept = () => {} }: TakeProps) {
  const say = useSay()
  const { imageOption } = useDay().day.settings
  const { take, isBusy, problem } = useTake(taskId, kind, onKept)
  const input = { type: 'file', accept: 'image/*', onChange: take, disabled: isBusy } as const
  const cover = 'absolute inset-0 cursor-pointer opacity-0'
  return (
    <>
      {imageOption !== 'gallery' && (
        <label className={tile}>
          <Camera aria-hidden className="size-6" />
          {say(isBusy ? 'savingPhoto' : hasSome ? 'anotherPhoto' : 'takePhoto')}
          <input {...input} capture="environment" className={cover} />
        </label>
      )}
      {imageOption !== 'camera' && (
        <label className={tile}>
          <Images aria-hidden className="size-6" />
          {say(isBusy ? 'savingPhoto' : 'choosePhoto')}
          <input {...input} multiple={kind === 'photo'} className={cover} />
        </label>
      )}
      {problem && (
        <p role="alert" className="w-full font-semibold text-bad">
          {problem}
        </p>
      )}
    </>
  )
}

/** A picture that is still on this phone. */
export function KeptPicture({ fileId, label }: { fileId: string; label: string }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let made: string | undefined
    let isGone = false
    void database()
      .then((db) => db.get('pictures', fileId))
      .then((bytes) => {
        if (!bytes || isGone) return
        made = URL.createObjectURL(new Blob([bytes]))
        setUrl(made)
      })
    return () => {
      isGone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [fileId])
  return url ? <img src={url} alt={label} className="size-22 rounded-xl border border-line object-cover" /> : null
}

/** The photos of a task that are on this phone, and a way to take more. */
export function Photos({ taskId }: { taskId: number }) {
  const say = useSay()
  const { files, day } = useDay()
  const photos = files.filter((file) => file.taskId === taskId && file.kind === 'photo')
  return (
    <div className="flex flex-wrap gap-2">
      {photos.map(({ fileId }, at) => (
        <KeptPicture key={fileId} fileId={fileId} label={say('photoNumber', { n: at + 1 })} />
      ))}
      {day.settings.allowDriverToTakePicturesOnSite && <TakePhoto taskId={taskId} hasSome={photos.length > 0} />}
    </div>
  )
}
