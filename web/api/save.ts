import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTell } from '../ui/toast.tsx'
import { useSay, type Word } from '../words/words.ts'
import { WaybillError } from './client.ts'
import { problemText } from './problem.ts'

interface Options<Output> {
  /** The words of `keysOf` whose answers are out of date after it. */
  changes: string[]
  /** What is told when it is done. */
  told?: Word
  onDone?: (output: Output) => void
  /** A form shows the refusal itself; a button has nowhere to. */
  inForm?: boolean
}

/** A write: asks again for what it changed, tells that it is done, and says why not. */
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
      if (told) tell(say(told))
      onDone?.(output)
    },
    onError: (error) => {
      if (!inForm) tell(problemText(error, say), { bad: true })
    },
  })
}

/** What the server says about one field of a form, if it is about that one. */
export function fieldProblem(error: unknown, field: string): string | undefined {
  if (!(error instanceof WaybillError)) return undefined
  return (
    error.details.find((detail) => detail.field === field)?.message ??
    (error.field === field ? error.message : undefined)
  )
}

/** What the server says about none of the fields that are shown. */
export function otherProblem(error: unknown, fields: string[], say: ReturnType<typeof useSay>): string | undefined {
  if (!error) return undefined
  return fields.some((field) => fieldProblem(error, field)) ? undefined : problemText(error, say)
}
