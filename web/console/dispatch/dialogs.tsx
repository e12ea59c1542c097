import { lazy } from 'react'
import { TaskForm } from '../tasks/task-form.tsx'
import { AssignDialog } from './bulk/assign-dialog.tsx'
import { CompleteDialog } from './bulk/complete-dialog.tsx'
import { DeleteDialog } from './bulk/delete-dialog.tsx'
import { HelpDialog } from './keyboard/help-dialog.tsx'
import { type Opened, useOpened } from './opened.tsx'

const PlanAssignDialog = lazy(() => import('../planning/plan-assign-dialog.tsx'))
const OptimiseAllDialog = lazy(() => import('../planning/optimise-all-dialog.tsx'))
const UnavailableDialog = lazy(() => import('../planning/unavailable-dialog.tsx'))
const ProofDialog = lazy(() => import('../tasks/proof-dialog.tsx'))
const LabelsDialog = lazy(() => import('../tasks/labels-dialog.tsx'))
const ImportDialog = lazy(() => import('../tasks/import/import-dialog.tsx'))

/** What buttons or keys opened over the screen. */
export default function Dialogs({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  const { open } = useOpened()
  switch (opened.what) {
    case 'new':
      return <TaskForm onClose={onClose} />
    case 'import':
      return <ImportDialog onClose={onClose} {...(opened.goOn && { goOn: opened.goOn })} />
    case 'help':
      return <HelpDialog onClose={onClose} />
    case 'assign':
      return <AssignDialog tasks={opened.tasks} onClose={onClose} />
    case 'complete':
      return <CompleteDialog tasks={opened.tasks} onClose={onClose} />
    case 'delete':
      return <DeleteDialog tasks={opened.tasks} onClose={onClose} />
    case 'proof':
      return <ProofDialog tasks={opened.tasks} onClose={onClose} />
    case 'labels':
      return <LabelsDialog tasks={opened.tasks} onClose={onClose} />
    case 'optimise':
      return <OptimiseAllDialog onClose={onClose} />
    case 'unavailable':
      return (
        <UnavailableDialog driver={opened.driver} onClose={onClose} onPlan={(tasks) => open({ what: 'plan', tasks })} />
      )
    case 'plan':
      return <PlanAssignDialog tasks={opened.tasks} onClose={onClose} />
  }
}
