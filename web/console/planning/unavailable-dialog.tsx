import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeptReason } from '../../../contract/absence.ts'
import { longest } from '../../../contract/limits.ts'
import { Unassigned } from '../../../core/task-status.ts'
import { api, WaybillError } from '../../api/client.ts'
import { type Driver, keysOf, type Task } from '../../api/data.ts'
import { isPassing, problemText } from '../../api/problem.ts'
import { useFormats } from '../../api/time.ts'
import { today as todayIn } from '../../tasks/day.ts'
import { Button } from '../../ui/button.tsx'
import { CancelButton, Dialog } from '../../ui/dialog.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { useSave } from '../../ui/save.ts'
import { ErrorState } from '../../ui/state.tsx'
import { useTell } from '../../ui/toast.tsx'
import { Unsaved } from '../../ui/unsaved.ts'
import { useSay } from '../../words/console.ts'
import { useLaterSay } from '../../words/later.ts'
import { useDispatch } from '../day/dispatch.tsx'
import { newUndoId, useUndo } from '../day/undo.ts'
import { RoutesDrawn } from './drawn/routes-drawn.tsx'
import { useLeftRoute } from './drawn/use-left-route.ts'

interface Props {
  driver: Driver
  onClose: () => void
  /** Finds others for the tasks that were taken. */
  onPlan: (tasks: Task[]) => void
}

/** A driver cannot go on: what happens to their tasks, for how long, and then who takes them. */
export default function UnavailableDialog({ driver, onClose, onPlan }: Props) {
  const say = useLaterSay('days')
  const tell = useTell()
  const { byId } = useDispatch()
  const { timeZone } = useFormats()
  const today = todayIn(timeZone)
  const [through, setThrough] = useState(today)
  const [inTransit, setInTransit] = useState<'keep' | 'take'>()
  const [isNoted, setNoted] = useState(true)
  const [reason, setReason] = useState('')
  const params = { driverId: driver.id }
  const preview = useQuery({
    queryKey: ['unavailable', driver.id, through],
    queryFn: () => api.makeUnavailable({ params, body: { through, dryRun: true } }),
    enabled: through >= today,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const keptFor = (wanted: KeptReason, from = preview.data?.kept) =>
    from?.filter(({ reason }) => reason === wanted) ?? []
  const started = keptFor('IN_TRANSIT')
  const later = keptFor('LATER_DAY').length
  const sayConflicts = (kept: readonly { awb: string }[]) =>
    say('unavailableConflicts', { n: kept.length, awbs: kept.map(({ awb }) => awb).join(', ') })
  const conflicted = keptFor('OPEN_CONFLICT')
  const taken = (preview.data?.taken.length ?? 0) + (inTransit === 'take' ? started.length : 0)
  const staying = preview.data && (inTransit === 'take' ? conflicted : [...started, ...conflicted])
  const drawn = useLeftRoute(
    driver,
    staying?.map(({ taskId }) => taskId),
  )
  const takeBack = useTakeBack(driver)
  const save = useSave(
    (undoId: string) =>
      api
        .makeUnavailable({
          params,
          body: {
            ...(inTransit && { inTransit }),
            through,
            absence: isNoted,
            ...(isNoted && reason && { reason }),
            undoId,
          },
        })
        .then((answer) => ({ ...answer, undoId })),
    {
      changes: [...keysOf.drivers, 'tasks'],
      inForm: true,
      onDone(answer) {
        const text = say('unavailableDone', { name: driver.name, n: answer.taken.length })
        const left = keptFor('OPEN_CONFLICT', answer.kept)
        tell(left.length > 0 ? `${text} · ${sayConflicts(left)}` : text, { undo: () => void takeBack(answer) })
        // The events that change them on the screen may still be on their way.
        const waiting = answer.taken.flatMap(({ taskId }) => {
          const task = byId.get(taskId)
          return task ? [{ ...task, statusId: Unassigned, userId: null, user: null } as Task] : []
        })
        if (waiting.length > 0) onPlan(waiting)
        else onClose()
      },
    },
  )
  return (
    <Dialog
      title={say('unavailableTitle', { name: driver.name })}
      lead={say('unavailableLead')}
      open
      onClose={onClose}
      footer={
        <>
          <CancelButton />
          <Button
            look="primary"
            disabled={!preview.data || through < today || (started.length > 0 && !inTransit)}
            busy={save.isPending}
            onClick={() => save.mutate(newUndoId())}
          >
            {say('unavailableAction')}
          </Button>
        </>
      }
    >
      <Unsaved isChanged={() => reason !== '' && !save.isPending} />
      <div className="grid gap-4">
        <TextField
          label={say('unavailableThrough')}
          type="date"
          min={today}
          value={through}
          onChange={({ target }) => setThrough(target.value)}
          className="w-44"
        />
        {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
        {preview.data && (
          <p role="status">
            <span className="font-medium">{say('unavailableTakes', { n: taken })}</span>
            {later > 0 && <span className="text-ink-soft"> · {say('unavailableKeeps', { n: later })}</span>}
          </p>
        )}
        {conflicted.length > 0 && <p className="text-waiting wrap-anywhere">{sayConflicts(conflicted)}</p>}
        {started.length > 0 && (
          <fieldset className="grid gap-1.5">
            <legend className="mb-1 font-medium text-ink-soft">
              {say('inTransitNow', { awbs: started.map(({ awb }) => awb).join(', ') })}
            </legend>
            {(['keep', 'take'] as const).map((choice) => (
              <label key={choice} className="flex items-center gap-2">
                <input
                  type="radio"
                  name="inTransit"
                  className="size-4 accent-(--brand)"
                  checked={inTransit === choice}
                  onChange={() => setInTransit(choice)}
                />
                {say(choice === 'keep' ? 'inTransitKeep' : 'inTransitTake')}
              </label>
            ))}
          </fieldset>
        )}
        <RoutesDrawn routes={drawn} />
        <Checkbox
          label={say('noteAbsence')}
          hint={say('noteAbsenceHint')}
          checked={isNoted}
          onChange={({ target }) => setNoted(target.checked)}
        />
        {isNoted && (
          <TextField
            label={say('absenceReason')}
            maxLength={longest.absenceReason}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
        {save.error && (
          <p role="alert" className="text-bad">
            {problemText(save.error, say)}
          </p>
        )}
      </div>
    </Dialog>
  )
}

interface Done {
  undoId: string
  taken: { taskId: number }[]
  absence: { id: number } | null
}

/** Deleted by somebody else, or by a request whose answer was lost. */
const ignoreGone = (error: unknown) => {
  if (!(error instanceof WaybillError) || error.code !== 'ABSENCE_NOT_FOUND') throw error
}

/** The tasks go back where nobody else has changed them, the driver is on duty again, and the absence goes. */
function useTakeBack({ id: driverId, inShift }: Driver) {
  const client = useQueryClient()
  const say = useSay()
  const tell = useTell()
  const undo = useUndo()
  return async function takeBack(done: Done): Promise<void> {
    const { undoId, taken, absence } = done
    try {
      if (inShift) await api.setDriverDuty({ params: { driverId }, body: { inShift } })
      if (absence) await api.deleteAbsence({ params: { driverId, absenceId: absence.id } }).catch(ignoreGone)
    } catch (error) {
      tell(problemText(error, say), { bad: true, ...(isPassing(error) && { undo: () => void takeBack(done) }) })
      return
    }
    await client.invalidateQueries({ queryKey: keysOf.drivers })
    if (taken.length > 0) await undo(undoId)
    else tell(say('undone'))
  }
}
