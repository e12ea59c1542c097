import { Camera } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import { itemProblem } from '../../api/problem.ts'
import { useSay } from '../../words/driver.ts'
import { scalePhoto, Unreadable } from '../camera/picture.ts'
import { useDay } from '../looks/day.ts'
import { fileIdOf, usePicture } from '../looks/picture.tsx'
import { phone } from '../outbox/phone.ts'
import { serverFor, WaybillError } from '../outbox/server.ts'

/** The driver as the office sees them; where the organisation allows it, they can change the picture. */
export function MyPicture() {
  const say = useSay()
  const { day, session } = useDay()
  const { name, avatar } = day.user
  const url = usePicture(avatar ? fileIdOf(avatar) : undefined, session.token)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  const send = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    target.value = ''
    if (!file) return
    setBusy(true)
    setProblem('')
    try {
      const fileId = crypto.randomUUID()
      const bytes = new Blob([await scalePhoto(file)], { type: 'image/jpeg' })
      const server = serverFor(session.token)
      await server.uploadFile({ params: { fileId }, bytes })
      await server.updateProfile({ body: { avatar: fileId } })
      await phone.wake()
    } catch (error) {
      if (error instanceof WaybillError) setProblem(itemProblem(error, say))
      else setProblem(say(error instanceof Unreadable ? 'photoUnreadable' : 'wentWrong'))
    } finally {
      setBusy(false)
    }
  }

  const face = 'grid size-14 shrink-0 place-items-center rounded-full bg-sunken font-bold text-head object-cover'
  return (
    <div className="flex items-center gap-3 px-4 py-3">
      {url ? (
        <img src={url} alt="" className={face} />
      ) : (
        <span aria-hidden className={face}>
          {name.slice(0, 1)}
        </span>
      )}
      <div className="min-w-0 flex-1">
        <h1 className="font-semibold text-title">{name}</h1>
        <p className="text-ink-soft">{day.user.company.name}</p>
        {problem && (
          <p role="alert" className="text-bad">
            {problem}
          </p>
        )}
      </div>
      {day.settings.allowDriverAddProfilePicture && (
        <label className="relative grid size-12 shrink-0 place-items-center rounded-xl border border-line-strong has-focus-visible:outline-3 has-focus-visible:outline-accent">
          <Camera aria-hidden className="size-5" />
          <span className="sr-only">{say(isBusy ? 'savingPhoto' : 'changeMyPicture')}</span>
          <input
            type="file"
            accept="image/*"
            capture="user"
            disabled={isBusy}
            onChange={send}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
        </label>
      )}
    </div>
  )
}
