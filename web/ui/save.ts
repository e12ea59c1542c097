import { useMutation, useQueryClient } from '@tanstack/react-query'
import { WaybillError } from '../api/client.ts'
import { itemProblem, problemText } from '../api/problem.ts'
import { type Say, useSay } from '../words/shared.ts'
import { useTell } from './toast.tsx'

export interface Options<Output> {
  /** The keys of `keysOf` whose data is out of date afterwards. */
  changes: string[]
  /** The message shown when it is done. */
  told?: string
  onDone?: (output: Output) => void
  /** A form shows the refusal itself; for a button it is shown as a notice. */
  inForm?: boolean
}

/** A write that fetches what it changed again, and shows that it succeeded or why not. */
export function useSave<Input, Output>(
  write: (input: Input) => Promise<Output>,
  { changes, told, onDone, inForm = false }: Options<Output>,
) {
  const client = useQueryClient()
  const tell = useTell()
  const say = useSay()
  return useMutation({
    mutationFn: write,
    onSuccess: (output) => {
      for (const word of changes) void client.invalidateQueries({ queryKey: [word] })
      if (told) tell(told)
      onDone?.(output)
    },
    onError: (error) => {
      if (!inForm) tell(problemText(error, say), { bad: true })
    },
  })
}

/** What is wrong with one field of a form, if the server refused it. */
export function fieldProblem(error: unknown, field: string, say: Say): string | undefined {
  if (!(error instanceof WaybillError)) return undefined
  const problem = error.details.find((detail) => detail.field === field) ?? (error.field === field ? error : undefined)
  return problem && itemProblem(problem, say)
}

/** The problem, unless one of the fields on the page already shows it. */
export function otherProblem(error: unknown, fields: string[], say: Say): string | undefined {
  if (!error) return undefined
  return fields.some((field) => fieldProblem(error, field, say)) ? undefined : problemText(error, say)
}
