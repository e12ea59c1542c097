import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Point } from '../../../../core/geo.ts'
import { api, WaybillError } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { showWritten } from './doubtful.ts'

/** What somebody decided about an address: the pin is right, it is there, or it is written otherwise. */
export type Decision = { is: 'right' } | { is: 'there'; point: Point } | { is: 'written'; address: string }

/** Somebody else was faster: what they have decided is shown, and nothing is written over it. */
export const isChanged = (error: unknown) => error instanceof WaybillError && error.code === 'ADDRESS_CHANGED'

const bodyOf = (decision: Decision, { address: { lat, lng } }: Task) => {
  if (decision.is === 'written') return { address: decision.address }
  if (decision.is === 'there') return decision.point
  return { ...(lat !== null && lng !== null && { lat, lng }), confirmed: true }
}

/** Writes what was decided about an address as it was shown; if it is another by now, that is shown instead. */
export function useCorrect(onDone: (task: Task, decision: Decision) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ task, decision }: { task: Task; decision: Decision }) => {
      const { task: now } = await api.getTask({ params: { taskId: task.id } })
      if (!isSameAddress(now, task)) {
        showWritten(client, now)
        throw changed()
      }
      return (await api.updateTask({ params: { awb: now.awb }, body: { address: bodyOf(decision, task) } })).task
    },
    onSuccess: (task, { decision }) => {
      // First, so that where to go on is found in the list as it was.
      onDone(task, decision)
      showWritten(client, task)
      void client.invalidateQueries({ queryKey: ['task', task.id] })
    },
  })
}

const isSameAddress = ({ address: one }: Task, { address: other }: Task) =>
  one.lat === other.lat && one.lng === other.lng && one.precision === other.precision && one.address === other.address

const changed = () => new WaybillError(409, { code: 'ADDRESS_CHANGED' })
