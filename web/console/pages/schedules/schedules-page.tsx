import { useQuery } from '@tanstack/react-query'
import { Repeat, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { keysOf, type Schedule } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { ConfirmWrite } from '../../../ui/confirm.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { EditOrDelete } from '../../../ui/row-menu.tsx'
import { useSpeech } from '../../../words/console.ts'
import { ListPage } from '../list-page.tsx'
import { useSay } from '../record-words.ts'
import { ScheduleForm } from './schedule-form.tsx'
import { dayName, tellRule } from './sentence.ts'

type Open = { what: 'new' } | { what: 'edit' | 'end'; schedule: Schedule }

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
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
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
      <EditOrDelete
        name={schedule.name}
        onEdit={() => setOpen({ what: 'edit', schedule })}
        onDelete={() => setOpen({ what: 'end', schedule })}
      />
    ),
  })
  return (
    <ListPage
      title="schedules"
      lead="schedulesLead"
      none={{ picture: <Repeat />, title: 'noSchedules', lead: 'noSchedulesLead' }}
      add={may && { word: 'newSchedule', go: () => setOpen({ what: 'new' }) }}
      query={useSchedules()}
      columns={['name', 'whenItHappens', 'nextTime']}
      row={row}
    >
      {open?.what === 'new' && <ScheduleForm onClose={close} />}
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
