import { Download } from 'lucide-react'
import type { Task } from '../api/data.ts'
import { useFormats } from '../api/time.ts'
import { dayOf } from '../dispatch/day.ts'
import { Button } from '../ui/button.tsx'
import { Menu, MenuItem, MenuLabel } from '../ui/menu.tsx'
import { useTell } from '../ui/toast.tsx'
import { useSay } from '../words/words.ts'
import { exportTasks } from './export.ts'

/** The tasks it is given, as a file. */
export function ExportMenu({ tasks }: { tasks: readonly Task[] }) {
  const say = useSay()
  const tell = useTell()
  const { timeZone } = useFormats()
  const save = async (format: 'csv' | 'xlsx') => {
    const fileName = `${say('exportFile')}-${dayOf(Date.now(), timeZone)}`
    await exportTasks(tasks, format, { say, timeZone, fileName })
    tell(say('exported', { n: tasks.length }))
  }
  return (
    <Menu
      trigger={
        <Button className="!px-2" disabled={tasks.length === 0} title={say('export')}>
          <Download aria-hidden />
          <span className="sr-only">{say('export')}</span>
        </Button>
      }
    >
      <MenuLabel>{say('exportLead', { n: tasks.length })}</MenuLabel>
      <MenuItem onSelect={() => void save('xlsx')}>{say('exportXlsx')}</MenuItem>
      <MenuItem onSelect={() => void save('csv')}>{say('exportCsv')}</MenuItem>
    </Menu>
  )
}
