import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addNotice, dropNotice, lastUndoable, type Notice, stayMsOf } from './notices.ts'

const undo = () => {}
const told = (...notices: Omit<Notice, 'text'>[]) =>
  notices.reduce<Notice[]>((all, notice) => addNotice(all, { text: '', ...notice }), [])
const ids = (all: Notice[]) => all.map(({ id }) => id)

test('at most four notices are shown; the oldest disappears first', () => {
  assert.deepEqual(ids(told({ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 })), [2, 3, 4, 5])
})

test('undo applies to the latest action that can be undone, then to the one before it', () => {
  const all = told({ id: 1, undo }, { id: 2, undo }, { id: 3 }, { id: 4, bad: true })
  assert.equal(lastUndoable(all)?.id, 2)
  assert.equal(lastUndoable(dropNotice(all, 2))?.id, 1)
  assert.equal(lastUndoable(dropNotice(dropNotice(all, 2), 1)), undefined)
})

test('a notice with a button or an error stays longer', () => {
  const plain = stayMsOf({})
  for (const notice of [{ undo }, { bad: true }, { link: { label: '', go: undo } }]) assert.ok(stayMsOf(notice) > plain)
})
