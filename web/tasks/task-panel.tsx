import { Dialog } from '../ui/dialog.tsx'

/** Everything about one task, beside the page. */
export function TaskPanel({ taskId, onClose }: { taskId: number; onClose: () => void }) {
  return (
    <Dialog title={String(taskId)} open onClose={onClose} side>
      {null}
    </Dialog>
  )
}
