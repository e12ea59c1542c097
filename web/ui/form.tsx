import type { FormEvent, ReactNode } from 'react'
import { useSay } from '../words/shared.ts'
import { Button } from './button.tsx'

interface Props {
  onSubmit: (form: FormData) => void
  onCancel: () => void
  busy: boolean
  /** A problem that belongs to no field. */
  problem?: string | undefined
  action?: string
  children: ReactNode
}

/** Fields, the problem, and two buttons. Nothing typed is lost when the server refuses. */
export function Form({ onSubmit, onCancel, busy, problem, action, children }: Props) {
  const say = useSay()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(new FormData(event.currentTarget))
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      {children}
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{say('cancel')}</Button>
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
