import { PackageOpen, SearchX } from 'lucide-react'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/state.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { useOpened } from '../opened.tsx'
import { noFilters } from './filter-popover.tsx'

/** Why a view is empty: the day has no tasks, or no task passes the filters. */
export function NothingToShow() {
  const say = useSay()
  const { all, change } = useDispatch()
  const { open } = useOpened()
  const may = useMay()('tasks:write')
  if (all.length > 0)
    return (
      <EmptyState
        picture={<SearchX />}
        title={say('noMatch')}
        action={<Button onClick={() => change(noFilters)}>{say('clearFilters')}</Button>}
      >
        {say('noMatchLead')}
      </EmptyState>
    )
  return (
    <EmptyState
      picture={<PackageOpen />}
      title={say('noTasks')}
      action={
        may && (
          <>
            <Button onClick={() => open({ what: 'import' })}>{say('import')}</Button>
            <Button look="primary" onClick={() => open({ what: 'new' })}>
              {say('newTask')}
            </Button>
          </>
        )
      }
    >
      {say('noTasksLead')}
    </EmptyState>
  )
}
