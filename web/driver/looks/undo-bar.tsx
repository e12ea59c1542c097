import { Undo2 } from 'lucide-react'
import { useState } from 'react'
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
    const { taskId, type } = held
    if (await phone.undoEnd(taskId)) go(type === 'complete' ? screens.complete(taskId) : screens.fail(taskId))
    else setLate(true)
  }
  const awb = tasks.find(({ id }) => id === held?.taskId)?.awb ?? ''
  const text = held
    ? say(held.type === 'complete' ? 'heldComplete' : 'heldFail', { awb })
    : isLate && say('undoTooLate')
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
