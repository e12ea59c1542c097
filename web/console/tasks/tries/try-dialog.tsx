import { useId, useRef, useState } from 'react'
import { api } from '../../../api/client.ts'
import { type Task, useDrivers, useSetting } from '../../../api/data.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { useTell } from '../../../ui/toast.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { useHandOver } from '../hand-over/hand-over.ts'
import { RefusedList } from '../hand-over/refused-list.tsx'
import { canBringBack, canLeave, canTryAgain } from './tried.ts'
import { useUndoLeaving } from './undo-leaving.ts'
import { useUndoTries } from './undo-tries.ts'

interface Props {
  tasks: Task[]
  what: 'again' | 'back' | 'leave'
  /** Called with what stayed as it is, once that is known. */
  onDone?: (stayed: Task[]) => void
  onClose: () => void
}

const words = {
  again: { title: 'tryAgainTitle', lead: 'tryAgainLead', action: 'tryAgain', done: 'triedAgain' },
  back: { title: 'bringBackTitle', lead: 'bringBackLead', action: 'bringBack', done: 'broughtBack' },
  leave: { title: 'leaveTitle', lead: 'leaveLead', action: 'leaveAsItIs', done: 'leftAsItIs' },
} as const

/** Tries failed tasks again, brings their parcels back, or leaves them as they are. What the server refuses stays in sight with its reason. */
export default function TryDialog({ tasks, what, onDone, onClose }: Props) {
  const say = useLaterSay('tries')
  const tell = useTell()
  const form = useId()
  const mostAttempts = useSetting('mostAttempts') ?? 0
  // As it was when the dialog was opened: what is tried again no longer can be.
  const [able] = useState(() => {
    const can = { again: (task: Task) => canTryAgain(task, { mostAttempts }), back: canBringBack, leave: canLeave }
    return tasks.filter(can[what])
  })
  const [given, setGiven] = useState({ from: '', until: '', driver: '' })
  const awbOf = new Map(able.map(({ id, awb }) => [id, awb]))
  const undoTries = useUndoTries()
  const undoLeaving = useUndoLeaving()
  const undo = what === 'leave' ? undoLeaving : undoTries
  // The new tasks, or those that were left.
  const made = useRef<Task[]>([])
  const { run, isBusy, refused } = useHandOver(async (ids) => {
    const awbs = ids.map((id) => awbOf.get(id) as string)
    const window = {
      ...(given.from && { completeAfter: given.from }),
      ...(given.until && { completeBefore: given.until }),
    }
    const send = {
      again: () =>
        api.bulkReattemptTasks({
          body: { tasks: awbs, ...window, ...(given.driver && { userId: Number(given.driver) }) },
        }),
      back: () => api.bulkReturnTasks({ body: { tasks: awbs } }),
      leave: () => api.bulkCloseTasks({ body: { tasks: awbs } }),
    }
    const { results } = await send[what]()
    made.current.push(...results.flatMap(({ data }) => data ?? []))
    return {
      results: results.map(({ success, error }, at) => ({ id: ids[at] as number, success, ...(error && { error }) })),
    }
  })
  const { title, lead, action, done: told } = words[what]
  const go = async () => {
    const { done, stayed } = await run(able)
    if (done.length > 0) tell(say(told, { n: done.length }), { undo: () => void undo(made.current) })
    onDone?.([...tasks.filter((task) => !able.includes(task)), ...stayed.map(({ task }) => task)])
    if (stayed.length === 0) onClose()
  }
  const stays = tasks.length - able.length
  return (
    <Dialog
      title={say(title, { n: able.length })}
      lead={say(lead)}
      open
      onClose={onClose}
      footer={
        refused.length > 0 ? (
          <Button onClick={onClose}>{say('close')}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{say('cancel')}</Button>
            <Button look="primary" type="submit" form={form} busy={isBusy} disabled={able.length === 0}>
              {say(action)}
            </Button>
          </>
        )
      }
    >
      {refused.length > 0 ? (
        <RefusedList refused={refused} title={say('notTried', { n: refused.length })} />
      ) : (
        <form
          id={form}
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            void go()
          }}
        >
          {what === 'again' && <NextFields given={given} onType={(more) => setGiven({ ...given, ...more })} />}
          {stays > 0 && <p className="text-waiting">{say('notTried', { n: stays })}</p>}
        </form>
      )}
    </Dialog>
  )
}

interface Given {
  from: string
  until: string
  driver: string
}

/** When, and by whom. */
function NextFields({ given, onType }: { given: Given; onType: (more: Partial<Given>) => void }) {
  const say = useLaterSay('tries')
  const { data: drivers = [] } = useDrivers()
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={say('tryFrom')}
          type="datetime-local"
          max="9999-12-31T23:59"
          value={given.from}
          onChange={({ target }) => onType({ from: target.value })}
        />
        <TextField
          label={say('tryUntil')}
          type="datetime-local"
          min={given.from}
          max="9999-12-31T23:59"
          value={given.until}
          onChange={({ target }) => onType({ until: target.value })}
        />
      </div>
      <p className="text-ink-soft">{say('tryWindowHint')}</p>
      <SelectField
        label={say('tryDriver')}
        value={given.driver}
        onChange={({ target }) => onType({ driver: target.value })}
      >
        <option value="">{say('nobodyYet')}</option>
        {drivers
          .filter(({ active }) => active)
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </SelectField>
    </>
  )
}
