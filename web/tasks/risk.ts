import type { PlannedStop } from '../../contract/task.ts'
import type { Task } from '../api/data.ts'

export { isAtRisk, riskOf } from '../../core/risk.ts'

/** A task's place in its driver's day, if it has been planned. */
export const stopOf = ({ route }: Task): PlannedStop | undefined => route ?? undefined
