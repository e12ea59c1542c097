import { api } from '../../api/client.ts'
import { type Task, useCompany, useForms } from '../../api/data.ts'
import { problemText } from '../../api/problem.ts'
import { useFormats } from '../../api/time.ts'
import { MenuItem, MenuLabel } from '../../ui/menu.tsx'
import { useTell } from '../../ui/toast.tsx'
import { useSay } from '../../words/console.ts'

/** Menu items that save these tasks as a file. */
export function ExportItems({ tasks, day }: { tasks: readonly Task[]; day: string }) {
  const say = useSay()
  const tell = useTell()
  const { timeZone } = useFormats()
  const { data: forms = [] } = useForms()
  const { data: company } = useCompany()
  const save = async (format: 'csv' | 'xlsx') => {
    try {
      const [{ tableOf }, { saveCsv, saveXlsx }] = await Promise.all([
        import('./export.ts'),
        import('../files/save.ts'),
      ])
      const table = tableOf(tasks, forms, say, timeZone, company?.id)
      const fileName = `${say('exportFile')}-${day}`
      if (format === 'csv') saveCsv(fileName, table)
      else await saveXlsx(fileName, say('tasksTitle'), table)
      // For the audit log. During an outage the file matters more.
      api.noteExport({ body: { list: 'tasks', format, rows: tasks.length } }).catch(() => {})
      tell(say('exported', { n: tasks.length }))
    } catch (error) {
      tell(problemText(error, say), { bad: true })
    }
  }
  return (
    <>
      <MenuLabel>{`${say('export')}: ${say('tasks', { n: tasks.length })}`}</MenuLabel>
      <MenuItem disabled={tasks.length === 0} onSelect={() => void save('xlsx')}>
        {say('exportXlsx')}
      </MenuItem>
      <MenuItem disabled={tasks.length === 0} onSelect={() => void save('csv')}>
        {say('exportCsv')}
      </MenuItem>
    </>
  )
}
