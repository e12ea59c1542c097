import { ImageOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/driver.ts'
import { phone } from '../outbox/phone.ts'
import { useDay } from './day.ts'

/** The id of a file, of the path the server gives it. */
export const fileIdOf = (path: string) => path.replace(/^.*\//, '')

/** As it is kept on this phone, otherwise as the server has it, which shows it only to those who may see it. */
async function load(fileId: string, token: string | null, signal: AbortSignal): Promise<Blob | undefined> {
  const bytes = await phone.findPicture(fileId)
  if (bytes) return new Blob([bytes])
  if (!token) return undefined
  const response = await fetch(`/files/${fileId}`, { headers: { authorization: token }, credentials: 'omit', signal })
  return response.ok ? response.blob() : undefined
}

/** Null if it cannot be had, as without a network; undefined until that is known. */
export function usePicture(fileId: string | undefined, token: string | null): string | null | undefined {
  const [url, setUrl] = useState<string | null>()
  useEffect(() => {
    if (fileId === undefined) return
    const leaving = new AbortController()
    let made: string | undefined
    load(fileId, token, leaving.signal)
      .catch(() => undefined)
      .then((picture) => {
        if (leaving.signal.aborted) return
        made = picture && URL.createObjectURL(picture)
        setUrl(made ?? null)
      })
    return () => {
      leaving.abort()
      if (made) URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [fileId, token])
  return url
}

interface Props {
  fileId: string
  label: string
  /** Only as it is kept on this phone; nothing otherwise. */
  isHere?: boolean
  /** Shows it larger. */
  onOpen?: () => void
}

/** A picture of a stop, as large as a thumb; in its place a sign if it cannot be had now. */
export function Picture({ fileId, label, isHere = false, onOpen }: Props) {
  const { token } = useDay().session
  const url = usePicture(fileId, isHere ? null : token)
  const look = 'size-22 shrink-0 rounded-xl border border-line object-cover'
  if (!url) return isHere ? null : <NoPicture label={label} isKnown={url === null} className={look} />
  const picture = <img src={url} alt={label} className={look} />
  return onOpen ? (
    <button type="button" onClick={onOpen} className="shrink-0">
      {picture}
    </button>
  ) : (
    picture
  )
}

/** The same, as large as the screen. */
export function LargePicture({ fileId, label }: Pick<Props, 'fileId' | 'label'>) {
  const { token } = useDay().session
  const url = usePicture(fileId, token)
  return url ? (
    <img src={url} alt={label} className="max-h-[60vh] w-full rounded-xl object-contain" />
  ) : (
    <NoPicture label={label} isKnown={url === null} className="h-[40vh] w-full rounded-xl" />
  )
}

function NoPicture({ label, isKnown, className }: { label: string; isKnown: boolean; className: string }) {
  const say = useSay()
  return (
    <span
      {...(isKnown && { role: 'img', 'aria-label': `${label}: ${say('pictureNotHere')}` })}
      className={join('grid place-items-center bg-sunken text-ink-soft', className)}
    >
      {isKnown && <ImageOff aria-hidden className="size-6" />}
    </span>
  )
}
