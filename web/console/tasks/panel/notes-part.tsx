import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { problemText } from '../../../api/problem.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { useSay } from '../../../words/words.ts'
import { Part } from './fact.tsx'

export function NotesPart({ task }: { task: Task }) {
  const say = useSay()
  const may = useMay()
  const { dateTime } = useFormats()
  return (
    <Part title={say('taskNotes')}>
      {task.notes.length === 0 && <p className="text-ink-soft">{say('noNotes')}</p>}
      <ul className="grid gap-2">
        {task.notes.map(({ id, note, image, user, createdAt }) => (
          <li key={id} className="rounded-md bg-sunken px-2.5 py-1.5">
            {note && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{note}</p>}
            {image && (
              <a href={image} target="_blank" rel="noreferrer" className="my-1 block w-fit">
                <img
                  src={`${image}?size=thumb`}
                  alt={say('noteImage', { name: user.name })}
                  className="max-h-48 rounded border border-line"
                />
              </a>
            )}
            <p className="numbers text-ink-faint text-xs">
              {user.name} · {dateTime(createdAt)}
            </p>
          </li>
        ))}
      </ul>
      {may('tasks:write') && <NewNote task={task} />}
    </Part>
  )
}

function NewNote({ task }: { task: Task }) {
  const say = useSay()
  const client = useQueryClient()
  const [note, setNote] = useState('')
  const add = useMutation({
    mutationFn: () => api.addTaskNote({ params: { awb: task.awb }, body: { note: note.trim() } }),
    onSuccess: async ({ task: changed }) => {
      setNote('')
      client.setQueryData(['task', task.id], changed)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (note.trim()) add.mutate()
  }
  return (
    <form onSubmit={submit} className="mt-2 grid gap-2">
      <TextArea
        label={say('addNote')}
        rows={2}
        maxLength={longest.text}
        value={note}
        error={add.isError ? problemText(add.error, say) : undefined}
        onChange={(event) => setNote(event.target.value)}
      />
      {note.trim() && (
        <Button type="submit" busy={add.isPending} className="justify-self-end">
          {say('addNote')}
        </Button>
      )}
    </form>
  )
}
