import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Held } from '../../../phone/state.ts'
import { useSay } from '../../words/driver.ts'
import { phone } from '../outbox/phone.ts'
import { useDay } from './day.ts'
import { plainButton } from './parts.tsx'
import { go, screens } from './screen.ts'

/** What was ended a moment ago and is not sent yet, with the way back. */
export function UndoBar() {
  const say = useSay()
  const { held, tasks } = useDay()
  const [isLate, setLate] = useState(false)
  const undo = async () => {
    if (!held) return
    const { taskIds, type } = held
    const [taskId = 0, ...more] = taskIds
    if (!(await phone.undoEnd(taskId))) setLate(true)
    else if (more.length > 0) go(screens.completeStop(taskId))
    else go(type === 'complete' ? screens.complete(taskId) : screens.fail(taskId))
  }
  const awb = tasks.find(({ id }) => id === held?.taskIds[0])?.awb ?? ''
  const heldText = ({ taskIds, type }: Held) => {
    if (taskIds.length > 1) return say('heldParcels', { n: taskIds.length })
    return say(type === 'complete' ? 'heldComplete' : 'heldFail', { awb })
  }
  const text = held ? heldText(held) : isLate && say('undoTooLate')
  return (
    <div
      role="status"
      className="flex items-center gap-3 border-line-strong border-t bg-given-soft px-3 py-2 font-semibold empty:hidden"
    >
      {text && (
        <>
          <span className="min-w-0 flex-1">{text}</span>
          <button type="button" className={plainButton} onClick={() => (held ? void undo() : setLate(false))}>
            {held && <Undo2 aria-hidden className="size-5" />}
            {say(held ? 'undoIt' : 'gotIt')}
          </button>
        </>
      )}
    </div>
  )
}
