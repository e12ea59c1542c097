import { useQueryClient } from '@tanstack/react-query'
import type { Placing } from '../../../../contract/planning.ts'
import type { Driver, Task } from '../../../api/data.ts'
import { useAssign } from '../../day/assign.ts'

/** Assigns the task of the panel, or unassigns it with `null`, and shows what became of it. */
export function useGive(task: Task) {
  const assign = useAssign()
  const client = useQueryClient()
  return async (driver: Driver | null, placing?: Placing) => {
    await assign([task], driver, { placing })
    await client.invalidateQueries({ queryKey: ['task', task.id] })
  }
}
