import type { OpInput } from '../contract/op.ts'
import type { Begun } from './kept.ts'

/** What can be taken back once this has been done to the task, too. What changed nothing leaves everything as it was. */
export function begunAfter(begun: readonly Begun[], op: OpInput, hasChanged: boolean): Begun[] {
  if (op.type === 'seen' || !hasChanged) return [...begun]
  if (op.type === 'start' || op.type === 'arrive') return [...begun, { opId: op.opId, type: op.type }]
  if (op.type === 'takeBack') return begun.map((one) => (one.opId === op.of ? { ...one, isBack: true } : one))
  return []
}

/** The last one that was not taken back. */
export const lastBegun = (begun: readonly Begun[]) => begun.findLast(({ isBack }) => !isBack)
