import { useReducer, useRef } from 'react'
import { useDay } from '../looks/day.ts'
import { keepDraft } from '../outbox/keep.ts'
import type { Draft } from '../store/database.ts'
import { emptyDraft } from './steps.ts'

/** What is filled in for a task, and how to change it. Two quick changes both count. */
export function useDraft(taskId: number) {
  const stored = useDay().drafts.get(taskId) ?? emptyDraft(taskId)
  const latest = useRef(stored)
  const pending = useRef(0)
  const [, show] = useReducer((times: number) => times + 1, 0)
  if (pending.current === 0) latest.current = stored
  const change = (part: Partial<Draft>) => {
    latest.current = { ...latest.current, ...part }
    pending.current += 1
    show()
    void keepDraft(latest.current).finally(() => {
      pending.current -= 1
    })
  }
  return [latest.current, change] as const
}
