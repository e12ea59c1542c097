import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notesInAnEvent } from '../../../contract/limits.ts'
import type { Task } from '../../../contract/task.ts'
import { freeze, latestNotes } from './frozen.ts'

type Note = Task['notes'][number]

const noteOf = (id: number, text: string, given: Partial<Note> = {}) => ({ id, note: text, ...given }) as Note
const ids = (notes: readonly Note[]) => notes.map(({ id }) => id)
const taskWith = (notes: Note[]) => ({ id: 1, details: 'Fragile', notes }) as unknown as Task
const long = 'x'.repeat(3_900)

test('an event of a task of usual size keeps every note', () => {
  const notes = Array.from({ length: 50 }, (_, index) => noteOf(index, 'Third floor'))
  const was = taskWith(notes.slice(0, -1))
  const is = taskWith(notes)
  const { task, previous } = freeze(was, is)
  assert.equal(task, is)
  assert.equal('notesLeftOut' in task, false)
  const few = freeze(taskWith(notes.slice(0, 9)), taskWith(notes.slice(0, 10)))
  assert.deepEqual(few.previous, { notes: notes.slice(0, 9) }, 'the old list, whole')
  assert.deepEqual(Object.keys(previous ?? {}), ['notes'])
})

test('of many long notes an event keeps those it is about and the newest, in order, and says how many it leaves out', () => {
  const notes = Array.from({ length: 300 }, (_, index) => noteOf(index, long))
  const arrived = notes.with(3, noteOf(3, long, { image: '/files/1' }))
  const { task, previous } = freeze(taskWith(notes), taskWith(arrived))
  assert.deepEqual(ids(task.notes), [3, 294, 295, 296, 297, 298, 299])
  assert.equal(task.notesLeftOut, 293)
  assert.equal(task.notes[0]?.image, '/files/1')
  assert.deepEqual(ids((previous as { notes: Note[] }).notes), [3])
})

test('what an event keeps does not grow with the number of notes', () => {
  const sizeAt = (count: number) => {
    const notes = Array.from({ length: count }, (_, index) => noteOf(1_000 + index, long))
    const { task, previous } = freeze(taskWith(notes), taskWith([...notes, noteOf(9_999, long)]))
    return JSON.stringify([task, previous]).length
  }
  assert.ok(sizeAt(900) <= sizeAt(100) + 10, `${sizeAt(100)} and ${sizeAt(900)}`)
  assert.ok(sizeAt(900) < notesInAnEvent.now + notesInAnEvent.previous)
})

test('a note that is larger than the room is kept in its own event only', () => {
  const huge = noteOf(1, 'x'.repeat(40_000))
  assert.deepEqual(ids(latestNotes([huge], notesInAnEvent.now, new Set([1]))), [1])
  assert.deepEqual(ids(latestNotes([huge, noteOf(2, 'Small')], notesInAnEvent.now)), [2])
})
