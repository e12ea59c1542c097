import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import type { Task } from '../../api/data.ts'
import { layOver, showAhead } from './ahead.ts'

const task = (id: number, updatedAt = '10:00') => ({ id, updatedAt, userId: null, priority: 0 }) as Task
const shown = (client: QueryClient, tasks: Task[]) =>
  layOver(tasks, client.getQueryData(['ahead']) ?? new Map()).map(({ userId, priority }) => [userId, priority])

test('a change is shown at once, and only failed changes are taken back', () => {
  const client = new QueryClient()
  const tasks = [task(1), task(2)]
  const putBack = showAhead(client, tasks, () => ({ userId: 7 }))
  assert.deepEqual(shown(client, tasks), [
    [7, 0],
    [7, 0],
  ])
  putBack([tasks[1] as Task])
  assert.deepEqual(shown(client, tasks), [
    [7, 0],
    [null, 0],
  ])
})

test('newer data from the server replaces what was shown in advance', () => {
  const client = new QueryClient()
  showAhead(client, [task(1)], () => ({ userId: 7 }))
  assert.deepEqual(shown(client, [task(1, '10:01')]), [[null, 0]])
})

test('if one of two changes to a task fails, the other one stays', () => {
  const client = new QueryClient()
  const one = task(1)
  const putBack = showAhead(client, [one], () => ({ userId: 7 }))
  showAhead(client, [one], () => ({ priority: 3 }))
  assert.deepEqual(shown(client, [one]), [[7, 3]])
  putBack([one])
  assert.deepEqual(shown(client, [one]), [[null, 3]])
})
