import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useSay } from '../../../words/console.ts'
import { useInTurn } from './in-turn.ts'

export function DeleteDialog({ tasks, onClose }: { tasks: Task[]; onClose: () => void }) {
  const say = useSay()
  const { run, finished } = useInTurn('deleted')
  const go = async () => {
    await run(tasks, ({ awb }) => api.deleteTask({ params: { awb } }))
    onClose()
  }
  return (
    <Dialog
      title={say('deleteTasks', { n: tasks.length })}
      lead={say('deleteTasksLead')}
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button look="danger" busy={finished !== undefined} onClick={() => void go()}>
            {finished === undefined ? say('delete') : say('progressOf', { done: finished, all: tasks.length })}
          </Button>
        </>
      }
    >
      <ul className="numbers max-h-40 overflow-y-auto">
        {tasks.slice(0, 20).map(({ id, awb, address }) => (
          <li key={id} className="truncate">
            {awb} · {address.address}
          </li>
        ))}
        {tasks.length > 20 && <li>…</li>}
      </ul>
    </Dialog>
  )
}
