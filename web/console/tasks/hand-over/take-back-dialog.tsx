import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useTell } from '../../../ui/toast.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { useHandOver } from './hand-over.ts'
import { RefusedList } from './refused-list.tsx'

const words = {
  owner: { title: 'takeBackTitle', lead: 'takeBackLead', action: 'takeBack', done: 'tookBack' },
  fulfiller: { title: 'giveBackTitle', lead: 'giveBackLead', action: 'giveBack', done: 'gaveBack' },
} as const

interface Props {
  /** All of one side. */
  tasks: Task[]
  side: keyof typeof words
  onDone?: (stayed: Task[]) => void
  onClose: () => void
}

/** Takes tasks back from partners, or gives them back to those they came from. */
export default function TakeBackDialog({ tasks, side, onDone, onClose }: Props) {
  const say = useLaterSay('partners')
  const tell = useTell()
  const { run, isBusy, refused } = useHandOver((ids) => api.bulkUndelegateTasks({ body: { tasks: ids } }))
  const { title, lead, action, done: told } = words[side]
  const go = async () => {
    const { done, stayed } = await run(tasks)
    if (done.length > 0) tell(say(told, { n: done.length }))
    if (stayed.length === 0) onClose()
    onDone?.(stayed.map(({ task }) => task))
  }
  return (
    <Dialog
      title={say(title, { n: tasks.length })}
      lead={say(lead)}
      open
      onClose={onClose}
      footer={
        refused.length > 0 ? (
          <Button onClick={onClose}>{say('close')}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{say('cancel')}</Button>
            <Button look="primary" busy={isBusy} onClick={() => void go()}>
              {say(action)}
            </Button>
          </>
        )
      }
    >
      {refused.length > 0 ? (
        <RefusedList refused={refused} title={say('notHandedOver', { n: refused.length })} />
      ) : (
        <ul className="numbers max-h-40 overflow-y-auto">
          {tasks.slice(0, 20).map(({ id, awb, address }) => (
            <li key={id} className="truncate">
              {awb} · {address.address}
            </li>
          ))}
          {tasks.length > 20 && <li>…</li>}
        </ul>
      )}
    </Dialog>
  )
}
