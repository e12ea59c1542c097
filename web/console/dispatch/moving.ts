import { useCallback, useRef } from 'react'
import type { Placing } from '../../../contract/planning.ts'
import type { Driver, Task } from '../../api/data.ts'
import { whyNot } from '../../tasks/moves.ts'
import { useTell } from '../../ui/toast.tsx'
import { useSay } from '../../words/console.ts'
import { useAssign } from '../day/assign.ts'
import { useDispatch } from '../day/dispatch.tsx'

/**
 * Assigns tasks to a driver, at the best place of the route, or unassigns them (`null`), and shows which of them cannot be moved and why. Tasks that
 * moved are no longer selected; the others stay selected.
 */
export function useMoveTasks() {
  const assign = useAssign()
  const tell = useTell()
  const say = useSay()
  const { selection, isPast } = useDispatch()
  const usual = isPast ? undefined : 'best'
  const latest = useRef(selection)
  latest.current = selection
  return useCallback(
    async (tasks: Task[], driver: Pick<Driver, 'id' | 'name'> | null, placing: Placing | undefined = usual) => {
      const verb = driver ? 'assign' : 'unassign'
      const refused = tasks.flatMap((task) => whyNot(task, verb) ?? [])
      const [why] = refused
      if (why) tell(say('someRefused', { n: refused.length, reason: say(why) }), { bad: true })
      const able = tasks.filter((task) => !whyNot(task, verb))
      if (able.length === 0) return
      const moved = new Set(able.map(({ id }) => id))
      const { ids, set } = latest.current
      if (ids.size > 0) set([...ids].filter((id) => !moved.has(id)))
      const stayed = (await assign(able, driver, driver ? { placing } : {}))
        .map(({ id }) => id)
        .filter((id) => ids.has(id))
      if (stayed.length > 0) latest.current.set([...latest.current.ids, ...stayed])
    },
    [assign, tell, say, usual],
  )
}
