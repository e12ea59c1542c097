import type { Task } from '../../../api/data.ts'
import CorrectDialog from './correct-dialog.tsx'
import TryDialog from './try-dialog.tsx'
import type { AfterEnd } from './try-items.tsx'

interface Props {
  what: AfterEnd
  task: Task
  onClose: () => void
}

/** The dialog for what was chosen. */
const AfterEndDialog = ({ what, task, onClose }: Props) =>
  what === 'correct' ? (
    <CorrectDialog task={task} onClose={onClose} />
  ) : (
    <TryDialog tasks={[task]} what={what} onClose={onClose} />
  )
export default AfterEndDialog
