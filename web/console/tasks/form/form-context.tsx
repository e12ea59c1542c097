import { createContext, useContext } from 'react'
import type { Draft, FieldName } from './draft.ts'
import type { FieldProblems } from './field-problems.ts'

interface Form {
  draft: Draft
  /** What someone else has saved in the meantime in fields that were edited here. */
  theirs: Partial<Draft>
  problems: FieldProblems
  isNew: boolean
  /** The address of the task as it is stored, and whether its coordinates are only near. */
  stored: { address: string; coordinates: string; isRough: boolean } | undefined
  type: (typed: Partial<Draft>) => void
  takeTheirs: (name: FieldName) => void
}

export const FormContext = createContext<Form | null>(null)

export function useForm(): Form {
  const form = useContext(FormContext)
  if (!form) throw new Error('A field stands in a form')
  return form
}
