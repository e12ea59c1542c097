import { isDeepStrictEqual } from 'node:util'
import { notesInAnEvent } from '../../../contract/limits.ts'
import type { Task } from '../../../contract/task.ts'
import { differenceOf } from './difference.ts'

/*
 * What an event keeps of a task. Everything, except old notes of a task that has many: if each event kept all of them,
 * a thousand notes would be stored, sent and read half a million times (docs/decisions/0036).
 */

type Note = Task['notes'][number]

/** A note without its text has about as many. */
const ofANote = 400
const charactersOf = ({ note }: Note) => ofANote + (note?.length ?? 0)

/** The notes an event is about, whatever their size, and of the others the newest that have room. In order. */
export function latestNotes(notes: readonly Note[], room: number, about: ReadonlySet<number> = new Set()): Note[] {
  let left = room
  for (const note of notes) if (about.has(note.id)) left -= charactersOf(note)
  const isKept = (note: Note) => {
    if (about.has(note.id)) return true
    left -= charactersOf(note)
    return left >= 0
  }
  return notes.toReversed().filter(isKept).toReversed()
}

/** A task after a change as its event keeps it, and the old values of what changed. */
export function freeze(was: Task, is: Task): { task: Task; previous: Record<string, unknown> | null } {
  const previous = differenceOf(was, is)
  const isAboutNotes = previous !== null && 'notes' in previous
  const about = isAboutNotes ? changedNotes(was.notes, is.notes) : undefined
  return {
    task: withLatestNotes(is, about),
    previous: isAboutNotes ? { ...previous, notes: latestNotes(was.notes, notesInAnEvent.previous, about) } : previous,
  }
}

export function withLatestNotes(task: Task, about?: ReadonlySet<number>): Task {
  const notes = latestNotes(task.notes, notesInAnEvent.now, about)
  const leftOut = (task.notesLeftOut ?? 0) + task.notes.length - notes.length
  return leftOut === 0 ? task : { ...task, notes, notesLeftOut: leftOut }
}

function changedNotes(was: readonly Note[], is: readonly Note[]): Set<number> {
  const before = new Map(was.map((note) => [note.id, note]))
  return new Set(is.filter((note) => !isDeepStrictEqual(before.get(note.id), note)).map(({ id }) => id))
}
