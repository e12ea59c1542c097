import type { Task } from '../../../api/data.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useSay } from '../../../words/console.ts'
import { DriverPicker } from '../../day/driver-picker.tsx'
import { useMoveTasks } from '../moving.ts'

export function AssignDialog({ tasks, onClose }: { tasks: Task[]; onClose: () => void }) {
  const say = useSay()
  const move = useMoveTasks()
  const lead = tasks.length === 1 ? tasks[0]?.address.address : say('tasks', { n: tasks.length })
  return (
    <Dialog title={say('assignTo')} lead={lead} open onClose={onClose}>
      <DriverPicker
        tasks={tasks}
        onPick={(driver, placing) => {
          onClose()
          move(tasks, driver, placing)
        }}
      />
    </Dialog>
  )
}
