import { Headset, Info, MessageSquareText, Pencil } from 'lucide-react'
import { useState } from 'react'
import { longest } from '../../../contract/limits.ts'
import type { ShownTask } from '../../../phone/state.ts'
import { useSay } from '../../words/driver.ts'
import { useDay, useDriverFormats } from '../looks/day.ts'
import { BigButton, Card, plainButton } from '../looks/parts.tsx'
import { Sheet } from '../looks/sheet.tsx'
import { phone } from '../outbox/phone.ts'
import { notesOf } from './steps.ts'

/** What the office and the customer say about the task, and what the driver wrote. */
export function Notes({ task }: { task: ShownTask }) {
  const say = useSay()
  const { session } = useDay()
  const formats = useDriverFormats()
  const written = notesOf(task, 'note')
  return (
    <>
      {written.map(({ id, note, createdAt, userId, user }) => {
        const isOwn = userId === session.driverId
        const Icon = isOwn ? Pencil : Headset
        return (
          <Card key={id} look={isOwn ? 'plain' : 'given'} className="flex gap-3 p-3">
            <Icon aria-hidden className={isOwn ? 'size-5 shrink-0' : 'size-5 shrink-0 text-given'} />
            <div className="min-w-0">
              <p className={isOwn ? 'font-semibold text-small' : 'font-semibold text-small text-given'}>
                {isOwn ? say('ownNote') : user.name} · <span className="numbers">{formats.time(createdAt)}</span>
              </p>
              <p className="whitespace-pre-line break-words text-large">{note}</p>
            </div>
          </Card>
        )
      })}
      {task.customerNotes && (
        <Card className="flex gap-3 p-3">
          <MessageSquareText aria-hidden className="size-5 shrink-0" />
          <div className="min-w-0">
            <p className="font-semibold text-small">{say('customerNotes')}</p>
            <p className="whitespace-pre-line break-words text-large">{task.customerNotes}</p>
          </div>
        </Card>
      )}
      {(task.details || task.quantity || task.customFields.length > 0) && (
        <Card className="flex gap-3 p-3">
          <Info aria-hidden className="size-5 shrink-0" />
          <div className="min-w-0 text-large">
            {task.details && <p className="whitespace-pre-line break-words">{task.details}</p>}
            {task.quantity !== null && (
              <p>
                {say('quantity')}: {formats.number(task.quantity)}
              </p>
            )}
            {task.customFields.map(({ key, value }) => (
              <p key={key} className="break-words">
                {key}: {typeof value === 'object' ? JSON.stringify(value) : String(value)}
              </p>
            ))}
          </div>
        </Card>
      )}
    </>
  )
}

/** Something the driver wants to say about the task. */
export function AddNote({ taskId }: { taskId: number }) {
  const say = useSay()
  const { day } = useDay()
  const [writes, setWrites] = useState(false)
  if (!day.settings.allowDriverToTakeNotesOnSite) return null
  return (
    <>
      <button type="button" className={plainButton} onClick={() => setWrites(true)}>
        <Pencil aria-hidden className="size-5" />
        {say('addNote')}
      </button>
      {writes && <WriteNote taskId={taskId} onClose={() => setWrites(false)} />}
    </>
  )
}

function WriteNote({ taskId, onClose }: { taskId: number; onClose: () => void }) {
  const say = useSay()
  const [text, setText] = useState('')
  const save = async () => {
    if (text.trim() === '') return
    await phone.keepDone([{ type: 'note', taskId, note: text.trim() }])
    onClose()
  }
  return (
    <Sheet title={say('addNote')} onClose={onClose}>
      <textarea
        aria-label={say('didNote')}
        // biome-ignore lint/a11y/noAutofocus: the sheet was opened to write
        autoFocus
        rows={4}
        maxLength={longest.text}
        className="w-full rounded-xl border border-line-strong bg-surface p-3"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <BigButton onClick={() => void save()} aria-disabled={text.trim() === ''} look={text.trim() ? 'primary' : 'grey'}>
        {say('save')}
      </BigButton>
    </Sheet>
  )
}
