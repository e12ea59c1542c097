import { ImageUp, Trash2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { mostPictureMegabytes, pictureTypes } from '../../contract/limits.ts'
import { problemText } from '../api/problem.ts'
import { uploadPicture } from '../api/upload.ts'
import { useSay } from '../words/shared.ts'
import { Button } from './button.tsx'
import { join } from './class-names.ts'

interface Props {
  label: string
  name: string
  /** The stored picture; empty if there is none. */
  path: string
  error?: string | undefined
  /** A face, not a logo. */
  round?: boolean
  className?: string
}

/** A picture in a form. It is uploaded when it is chosen, and becomes the record's when the form is saved. */
export function PictureField({ label, name, path, error, round, className }: Props) {
  const say = useSay()
  const id = useId()
  const { value, share, problem, choose, remove, input } = useUpload(path)
  const isPicture = value.startsWith('/files/')
  const below = problem ?? error
  return (
    <div className={join('grid content-start gap-1', className)}>
      <label htmlFor={id} className="font-medium text-ink-soft">
        {label}
      </label>
      <div className="flex flex-wrap items-center gap-3">
        <span
          className={join(
            'grid size-16 shrink-0 place-items-center overflow-hidden border border-line bg-sunken text-ink-faint',
            round ? 'rounded-full' : 'rounded-lg',
          )}
        >
          {isPicture ? (
            <img
              src={`${value}?size=thumb`}
              alt={label}
              className={join('size-full', round ? 'object-cover' : 'object-contain')}
            />
          ) : (
            <ImageUp aria-hidden className="size-5" />
          )}
        </span>
        <Button busy={share !== undefined} onClick={() => input.current?.click()}>
          {say(isPicture ? 'changePicture' : 'choosePicture')}
        </Button>
        {isPicture && share === undefined && (
          <Button look="danger" onClick={remove}>
            <Trash2 aria-hidden />
            {say('removePicture')}
          </Button>
        )}
        <input
          ref={input}
          id={id}
          type="file"
          accept={pictureTypes.join(',')}
          tabIndex={-1}
          aria-describedby={`${id}-below`}
          aria-invalid={below ? true : undefined}
          className="sr-only"
          onChange={(event) => choose(event.currentTarget)}
        />
        <input type="hidden" name={name} value={value} />
        {share !== undefined && (
          <progress
            value={share}
            aria-label={say('pictureUploading', { n: Math.round(share * 100) })}
            className="h-1.5 w-32"
          />
        )}
      </div>
      <p id={`${id}-below`} role={below ? 'alert' : undefined} className={below ? 'text-bad' : 'text-ink-faint'}>
        {below ?? say('pictureHint', { n: mostPictureMegabytes })}
      </p>
    </div>
  )
}

function useUpload(path: string) {
  const say = useSay()
  const [value, setValue] = useState(path)
  const [share, setShare] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const leaving = useRef<AbortController>(null)
  useEffect(() => {
    leaving.current = new AbortController()
    return () => leaving.current?.abort()
  }, [])
  // A form that is saved too early would lose it.
  useEffect(() => input.current?.setCustomValidity(share === undefined ? '' : say('waitForPicture')), [share, say])

  const refusalOf = (file: File) => {
    if (!(pictureTypes as readonly string[]).includes(file.type)) return say('NOT_A_PICTURE')
    return file.size > mostPictureMegabytes * 1024 * 1024
      ? say('pictureTooHeavy', { n: mostPictureMegabytes })
      : undefined
  }
  const choose = async (from: HTMLInputElement) => {
    const [file] = from.files ?? []
    // So that the same file can be chosen again.
    from.value = ''
    if (!file || !leaving.current) return
    const { signal } = leaving.current
    const refusal = refusalOf(file)
    setProblem(refusal)
    if (refusal) return
    setShare(0)
    try {
      setValue(await uploadPicture(file, setShare, signal))
    } catch (error) {
      if (!signal.aborted) setProblem(problemText(error, say))
    } finally {
      setShare(undefined)
    }
  }
  const remove = () => {
    setValue('')
    setProblem(undefined)
  }
  return { value, share, problem, choose: (from: HTMLInputElement) => void choose(from), remove, input }
}
