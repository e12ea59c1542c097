import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Repeat, TriangleAlert } from 'lucide-react'
import { Fragment, useState } from 'react'
import { api } from '../../../api/client.ts'
import { keysOf, type Schedule } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { MenuItem } from '../../../ui/menu.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { useSpeech } from '../../../words/console.ts'
import { TemplatesDialog } from '../../tasks/templates/templates-dialog.tsx'
import { ListPage } from '../list-page.tsx'
import { useSay } from '../record-words.ts'
import { DaysDialog } from './days-dialog.tsx'
import { HolidaysDialog } from './holidays-dialog.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { dayName, tellRule } from './sentence.ts'

type Open = { what: 'new' | 'holidays' | 'templates' } | { what: 'edit' | 'end' | 'days'; schedule: Schedule }

const useSchedules = () =>
  useQuery({
    queryKey: keysOf.schedules,
    queryFn: async () => (await api.listSchedules()).schedules,
    staleTime: 60_000,
  })

/** Tasks that repeat, each with its next date and what is wrong with it. */
export default function SchedulesPage() {
  const say = useSay()
  const { language } = useSpeech()
  const may = useMay()('tasks:write')
  const query = useSchedules()
  const [opened, setOpen] = useState<Open>()
  const { edit } = useSearch({ from: '/signed-in/schedules' })
  const navigate = useNavigate()
  const linked = may ? query.data?.find(({ id }) => id === edit) : undefined
  const open: Open | undefined = opened ?? (linked && { what: 'edit', schedule: linked })
  const close = () => {
    setOpen(undefined)
    if (edit !== undefined) void navigate({ to: '/schedules', search: {}, replace: true })
  }
  const row = (schedule: Schedule) => ({
    key: schedule.id,
    cells: [
      schedule.name,
      <span key="rule" className="block min-w-48">
        {tellRule(schedule, say, language)}
        <Problem schedule={schedule} />
      </span>,
      schedule.isPaused ? say('pausedNow') : schedule.nextDay ? dayName(schedule.nextDay, language) : say('neverAgain'),
    ],
    menu: may && (
      <RowMenu name={schedule.name}>
        <MenuItem onSelect={() => setOpen({ what: 'days', schedule })}>{say('daysItem')}</MenuItem>
        <MenuItem onSelect={() => setOpen({ what: 'edit', schedule })}>{say('edit')}</MenuItem>
        <MenuItem danger onSelect={() => setOpen({ what: 'end', schedule })}>
          {say('delete')}
        </MenuItem>
      </RowMenu>
    ),
  })
  return (
    <ListPage
      title="schedules"
      lead="schedulesLead"
      none={{ picture: <Repeat />, title: 'noSchedules', lead: 'noSchedulesLead' }}
      add={may && { word: 'newSchedule', go: () => setOpen({ what: 'new' }) }}
      more={
        <Fragment key="more">
          <Button onClick={() => setOpen({ what: 'holidays' })}>{say('holidaysItem')}</Button>
          {may && <Button onClick={() => setOpen({ what: 'templates' })}>{say('templatesItem')}</Button>}
        </Fragment>
      }
      query={query}
      columns={['name', 'whenItHappens', 'nextTime']}
      row={row}
    >
      {open?.what === 'new' && <ScheduleForm onClose={close} />}
      {open?.what === 'holidays' && <HolidaysDialog onClose={close} />}
      {open?.what === 'templates' && <TemplatesDialog onClose={close} />}
      {open?.what === 'days' && <DaysDialog schedule={open.schedule} onClose={close} />}
      {open?.what === 'edit' && <ScheduleForm schedule={open.schedule} onClose={close} />}
      {open?.what === 'end' && <EndSchedule schedule={open.schedule} onClose={close} />}
    </ListPage>
  )
}

/** Why its tasks are not made, in the language of the page where it is known. */
function Problem({ schedule: { lastProblem } }: { schedule: Schedule }) {
  const say = useSay()
  const { language } = useSpeech()
  if (!lastProblem) return null
  const { code, message, day } = lastProblem
  return (
    <span className="flex gap-1.5 text-bad">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {day && `${dayName(day, language)}: `}
      {say.known(code, { message }) ?? message}
    </span>
  )
}

function EndSchedule({ schedule: { id, name }, onClose }: { schedule: Schedule; onClose: () => void }) {
  const say = useSay()
  const [withTasks, setWithTasks] = useState(false)
  return (
    <ConfirmWrite
      title={name}
      action={say('delete')}
      write={() => api.deleteSchedule({ params: { scheduleId: id }, query: { tasks: withTasks ? 'delete' : 'keep' } })}
      changes={['schedules']}
      told={say('scheduleEnded')}
      inForm
      onClose={onClose}
    >
      <span className="grid gap-3">
        {say('endScheduleLead', { name })}
        <Checkbox
          label={say('endScheduleTasks')}
          checked={withTasks}
          onChange={({ target }) => setWithTasks(target.checked)}
        />
      </span>
    </ConfirmWrite>
  )
}
