import type { Task } from '../api/data.ts'
import { Dialog } from '../ui/dialog.tsx'

/** Creates a task, or changes one. */
export function TaskForm({ task, onClose }: { task?: Task; onClose: () => void }) {
  return (
    <Dialog title={task?.awb ?? ''} open onClose={onClose} side wide>
      {null}
    </Dialog>
  )
}
