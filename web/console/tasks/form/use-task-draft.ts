import { useState } from 'react'
import type { Task } from '../../../api/data.ts'
import {
  changedFields,
  copyOf,
  type Draft,
  draftOf,
  emptyDraft,
  type FieldName,
  isSame,
  type Writing,
} from './draft.ts'

interface Options {
  /** The task as it was when the form was opened, and as it is now; neither for a new one. */
  opened: Task | undefined
  current: Task | undefined
  copied: Task | undefined
  /** The initial values of a new one. */
  usual: Partial<Draft>
  writing: Writing
}

/**
 * The form shows the task as it is stored now, with this person's typed values on top. So changes by others appear in
 * every field that was not edited here, edited fields are not lost, and only edited fields are sent.
 */
export function useTaskDraft({ opened, current, copied, usual, writing }: Options) {
  const [typed, setTyped] = useState<Partial<Draft>>({})
  const [blank, setBlank] = useState(() => (copied ? copyOf(copied, writing) : { ...emptyDraft, ...usual }))
  const stored = current ? draftOf(current, writing) : blank
  const changed = changedFields(typed, stored)
  const before = opened ? draftOf(opened, writing) : stored
  const disputed = changed.filter((name) => !isSame(stored[name], before[name]))
  return {
    draft: { ...stored, ...typed },
    /** The fields that would be saved. */
    changed,
    theirs: Object.fromEntries(disputed.map((name) => [name, stored[name]])) as Partial<Draft>,
    type: (more: Partial<Draft>) => setTyped((all) => ({ ...all, ...more })),
    takeTheirs: (name: FieldName) => setTyped(({ [name]: _, ...others }) => others),
    /** For the next new task: empty, but on the same day. */
    startAnother() {
      const { completeAfter, completeBefore } = { ...stored, ...typed }
      setBlank({ ...emptyDraft, completeAfter, completeBefore })
      setTyped({})
    },
  }
}
