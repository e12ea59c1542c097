import { Dialog } from '../../ui/dialog.tsx'

/** A file of tasks, from choosing it to the report. */
export default function ImportDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="" open onClose={onClose} wide>
      {null}
    </Dialog>
  )
}
