import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { useTell } from '../../../ui/toast.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { nameAwbs } from '../../day/name-awbs.ts'
import { useHandOver } from './hand-over.ts'

/** Takes back what was just given to a partner. What stays there, because its driver is on the way for example, is named. */
export function useUndoGiving() {
  const say = useLaterSay('partners')
  const tell = useTell()
  const { run } = useHandOver((ids) => api.bulkUndelegateTasks({ body: { tasks: ids } }))
  return async (given: readonly Task[]) => {
    const { done, stayed } = await run(given)
    const n = stayed.length
    const refused = n > 0 && `${say('notHandedOver', { n })}: ${nameAwbs(stayed.map(({ task }) => task))}`
    const sentences = [done.length > 0 && say('tookBack', { n: done.length }), refused, stayed[0]?.why]
    tell(sentences.filter(Boolean).join(' · '), { bad: n > 0 })
  }
}
