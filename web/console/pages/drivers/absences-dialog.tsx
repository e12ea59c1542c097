import { useQuery } from '@tanstack/react-query'
import { CalendarOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import type { Answer } from '../../../../contract/operations.ts'
import { api } from '../../../api/client.ts'
import { type Driver, keysOf } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { today as todayIn } from '../../../tasks/day.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { EmptyState, Loaded } from '../../../ui/state.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { useDayName } from '../../day/day-name.ts'

type Absence = Answer<'listAbsences'>['absences'][number]

/** The days on which a driver does not work, from today on, with a way to add and to delete some. */
export function AbsencesDialog({ driver, onClose }: { driver: Driver; onClose: () => void }) {
  const say = useLaterSay('days')
  const may = useMay()('drivers:write')
  const { timeZone } = useFormats()
  const from = todayIn(timeZone)
  const absences = useQuery({
    queryKey: [...keysOf.drivers, driver.id, 'absences'],
    queryFn: async () => (await api.listAbsences({ params: { driverId: driver.id }, query: { from } })).absences,
  })
  const none = (
    <EmptyState picture={<CalendarOff />} title={say('noAbsences')}>
      {say('noAbsencesLead')}
    </EmptyState>
  )
  return (
    <Dialog
      title={say('absencesOf', { name: driver.name })}
      lead={say('absencesLead', { name: driver.name })}
      open
      onClose={onClose}
      side
    >
      <div className="grid gap-4">
        {may && <AddAbsence driver={driver} today={from} />}
        <Loaded query={absences}>
          {(found) =>
            found.length === 0 ? (
              none
            ) : (
              <ul className="divide-y divide-line">
                {found.map((absence) => (
                  <AbsenceItem key={absence.id} absence={absence} mayDelete={may} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </Dialog>
  )
}

function AddAbsence({ driver, today }: { driver: Driver; today: string }) {
  const say = useLaterSay('days')
  const [from, setFrom] = useState(today)
  const [to, setTo] = useState('')
  const [reason, setReason] = useState('')
  const add = useSave(
    () =>
      api.createAbsence({
        params: { driverId: driver.id },
        body: { from, ...(to && { to }), ...(reason.trim() && { reason }) },
      }),
    {
      changes: [...keysOf.drivers],
      told: say('absenceAdded'),
      inForm: true,
      onDone() {
        setTo('')
        setReason('')
      },
    },
  )
  const wrong = (field: string) => fieldProblem(add.error, field, say)
  const problem = otherProblem(add.error, ['from', 'to', 'reason'], say)
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate(undefined)
      }}
    >
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={say('absenceFrom')}
          type="date"
          required
          value={from}
          onChange={({ target }) => setFrom(target.value)}
          error={wrong('from')}
        />
        <TextField
          label={say('absenceTo')}
          type="date"
          min={from}
          value={to || from}
          onChange={({ target }) => setTo(target.value)}
          error={wrong('to')}
        />
      </div>
      <TextField
        label={say('absenceReason')}
        maxLength={longest.absenceReason}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={wrong('reason')}
      />
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      <Button type="submit" look="primary" busy={add.isPending} className="justify-self-end">
        {say('addAbsence')}
      </Button>
    </form>
  )
}

function AbsenceItem({ absence, mayDelete }: { absence: Absence; mayDelete: boolean }) {
  const say = useLaterSay('days')
  const dayName = useDayName()
  const remove = useSave(() => api.deleteAbsence({ params: { driverId: absence.driverId, absenceId: absence.id } }), {
    changes: [...keysOf.drivers],
    told: say('absenceDeleted'),
  })
  const { from, to, reason } = absence
  const days = from === to ? dayName(from) : `${dayName(from)} – ${dayName(to)}`
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 grow">
        <p className="font-medium">{days}</p>
        {reason && <p className="break-words text-ink-soft">{reason}</p>}
      </div>
      {mayDelete && (
        <IconButton
          label={say('deleteAbsenceOf', { days })}
          disabled={remove.isPending}
          onClick={() => remove.mutate(undefined)}
        >
          <Trash2 />
        </IconButton>
      )}
    </li>
  )
}
