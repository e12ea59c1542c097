import { useReducer, useRef } from 'react'
import type { Draft } from '../../../phone/kept.ts'
import { useDay } from '../looks/day.ts'
import { phone } from '../outbox/phone.ts'
import { emptyDraft } from './steps.ts'

/**
 * What is filled in for a task, and how to change it. Two quick changes both count, and what the phone could not keep
 * stays on the screen.
 */
export function useDraft(taskId: number) {
  const stored = useDay().drafts.get(taskId) ?? emptyDraft(taskId)
  const latest = useRef(stored)
  const pending = useRef(0)
  const isUnkept = useRef(false)
  const [, show] = useReducer((times: number) => times + 1, 0)
  if (pending.current === 0 && !isUnkept.current) latest.current = stored
  const change = (part: Partial<Draft>) => {
    latest.current = { ...latest.current, ...part }
    pending.current += 1
    show()
    const ended = (isKept: boolean) => {
      pending.current -= 1
      isUnkept.current = !isKept
    }
    void phone.keepDraft(latest.current).then(
      () => ended(true),
      () => ended(false),
    )
  }
  return [latest.current, change] as const
}
