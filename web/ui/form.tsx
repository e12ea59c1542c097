import { type FormEvent, type ReactNode, useRef } from 'react'
import { useSay } from '../words/shared.ts'
import { Button } from './button.tsx'
import { useFormChanges, useLeave, useUnsaved } from './unsaved.ts'

interface Props {
  onSubmit: (form: FormData) => void
  onCancel: () => void
  busy: boolean
  /** A problem that belongs to no field. */
  problem?: string | undefined
  action?: string
  /** For a form with parts that come and go; otherwise its controls are compared with what they showed first. */
  isChanged?: () => boolean
  children: ReactNode
}

/** Fields, the problem, and two buttons. Nothing typed is lost when the server refuses, or by leaving. */
export function Form({ onSubmit, onCancel, busy, problem, action, isChanged, children }: Props) {
  const say = useSay()
  const form = useRef<HTMLFormElement>(null)
  const hasChanges = useFormChanges(form)
  useUnsaved(() => !busy && (isChanged ?? hasChanges)())
  const leave = useLeave() ?? onCancel
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(new FormData(event.currentTarget))
  }
  return (
    <form ref={form} className="grid gap-4" onSubmit={submit}>
      {children}
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={leave}>{say('cancel')}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {action ?? say('save')}
        </Button>
      </div>
    </form>
  )
}

/** The text of a field; null if empty. */
export const textOf = (form: FormData, name: string): string | null => String(form.get(name) ?? '').trim() || null
export const idsOf = (form: FormData, name: string): number[] => form.getAll(name).map(Number)
