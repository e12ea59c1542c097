import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { longest } from '../../../../contract/limits.ts'
import { noteTypes } from '../../../../core/note-type.ts'
import { api } from '../../../api/client.ts'
import type { Task } from '../../../api/data.ts'
import { problemText } from '../../../api/problem.ts'
import { useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { Lightbox } from '../../../ui/lightbox.tsx'
import { useUnsaved } from '../../../ui/unsaved.ts'
import { useSay } from '../../../words/console.ts'
import { Part } from './fact.tsx'

type Note = Task['notes'][number]

const photo = 2
const signature = 3
const isPicture = ({ type }: Note) => type === photo || type === signature

export function NotesPart({ task }: { task: Task }) {
  const say = useSay()
  const may = useMay()
  const { dateTime } = useFormats()
  const isNew = useNewNotes(task)
  const [opened, setOpened] = useState<number>()
  const titleOf = ({ type, user: { name } }: Note) =>
    say(type === signature ? 'pictureSignature' : 'picturePhoto', { name })
  const pictures = task.notes.flatMap((note) =>
    note.image
      ? {
          id: note.id,
          path: note.image,
          title: titleOf(note),
          lead: [note.note, dateTime(note.createdAt)].filter(Boolean).join(' · '),
        }
      : [],
  )
  const place = pictures.findIndex(({ id }) => id === opened)
  return (
    <Part title={say('taskNotes')}>
      {task.notes.length === 0 && <p className="text-ink-soft">{say('noNotes')}</p>}
      <ul className="grid gap-2">
        {task.notes.map((note) => (
          <li key={note.id} className="rounded-md bg-sunken px-2.5 py-1.5">
            {isNew(note) && (
              <strong className="float-right ml-2 rounded bg-given-soft px-1.5 text-given text-xs">
                {say('newNote')}
              </strong>
            )}
            {note.note && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{note.note}</p>}
            {note.image && (
              <button type="button" className="my-1 block w-fit" onClick={() => setOpened(note.id)}>
                <img
                  src={`${note.image}?size=thumb`}
                  alt={titleOf(note)}
                  className="max-h-48 rounded border border-line bg-white"
                />
              </button>
            )}
            {!note.image && (isPicture(note) || task.erasedAt) && (
              <p className="text-ink-soft">{say(task.erasedAt ? 'dataErased' : 'pictureComing')}</p>
            )}
            <p className="numbers text-ink-faint text-xs">
              {note.user.name} · {dateTime(note.createdAt)}
              <SeenByDriver note={note} isExpected={task.userId !== null} />
            </p>
          </li>
        ))}
      </ul>
      {may('tasks:write') && !task.erasedAt && <NewNote task={task} />}
      {place >= 0 && <Lightbox pictures={pictures} first={place} onClose={() => setOpened(undefined)} />}
    </Part>
  )
}

/** Notes of the office are for the driver, if there is one. */
function SeenByDriver({ note: { byDriver, seenAt }, isExpected }: { note: Note; isExpected: boolean }) {
  const say = useSay()
  const { dateTime } = useFormats()
  if (byDriver || !(seenAt || isExpected)) return null
  return <> · {seenAt ? say('noteSeen', { time: dateTime(seenAt) }) : say('noteNotSeen')}</>
}

/** What the driver added counts as seen now, and stays marked here as long as the task is open. */
function useNewNotes({ id, notes }: Task) {
  const mayMark = useMay()('tasks:write')
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set())
  const unseen = notes.filter(({ byDriver, seenAt }) => byDriver && !seenAt).map((note) => note.id)
  const key = unseen.join()
  useEffect(() => {
    if (key === '') return
    setFresh((before) => new Set([...before, ...key.split(',').map(Number)]))
    // If it fails, the notes stay new for everyone, and the next person who opens the task tries again.
    if (mayMark) api.markNotesSeen({ params: { taskId: id } }).catch(() => {})
  }, [key, id, mayMark])
  return (note: Note) => fresh.has(note.id) && note.type === noteTypes.text
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
  useUnsaved(() => note.trim() !== '' && !add.isPending)
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
