import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assigned, type StatusId, Succeeded, Unassigned } from './task-status.ts'
import { whyEmpty } from './why-empty.ts'

test('an empty list says whether there is nothing, or only nothing that passes the filters', () => {
  const cases: [all: StatusId[], answer: ReturnType<typeof whyEmpty>][] = [
    [[], { why: 'noTasks' }],
    [[Assigned, Succeeded], { why: 'none' }],
    [[Assigned, Unassigned, Unassigned], { why: 'hidden', count: 2 }],
  ]
  for (const [all, answer] of cases)
    assert.deepEqual(
      whyEmpty(all, (status) => status === Unassigned),
      answer,
    )
})
