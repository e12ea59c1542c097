import type { OpInput } from '../contract/sync.ts'
import type { Begun } from './kept.ts'

/** What can be taken back once this has been done to the task, too. What changed nothing leaves everything as it was. */
export function begunAfter(begun: readonly Begun[], { opId, type, of }: OpInput, hasChanged: boolean): Begun[] {
  if (type === 'seen' || !hasChanged) return [...begun]
  if (type === 'start' || type === 'arrive') return [...begun, { opId, type }]
  if (type === 'takeBack') return begun.map((one) => (one.opId === of ? { ...one, isBack: true } : one))
  return []
}

/** The last one that was not taken back. */
export const lastBegun = (begun: readonly Begun[]) => begun.findLast(({ isBack }) => !isBack)
