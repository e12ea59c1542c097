import assert from 'node:assert/strict'
import { test } from 'node:test'
import { punctualityCases } from './punctuality.cases.ts'
import { judgePunctuality, shareOnTime } from './punctuality.ts'
import { shareOf } from './share.ts'

const at = (time: string | null) => time && `2026-11-15T${time}:00.000Z`
const noon = Date.parse('2026-11-15T12:00:00.000Z')
const tasks = punctualityCases.map(([, task]) => ({
  ...task,
  completeBefore: at(task.completeBefore),
  completedAt: at(task.completedAt),
}))

test('a window was met, was missed, or is not decided yet', () => {
  for (const [index, [what, , met]] of punctualityCases.entries()) {
    const judged = judgePunctuality(tasks.slice(index, index + 1), noon)
    const late = typeof met === 'number' ? met * 60 : 0
    assert.deepEqual(
      judged,
      { judged: met === undefined ? 0 : 1, onTime: met === true ? 1 : 0, lateSeconds: late },
      what,
    )
  }
  assert.deepEqual(judgePunctuality(tasks, noon), { judged: 7, onTime: 3, lateSeconds: 50 * 60 })
})

test('nothing is on time to a hundred percent while a window was missed', () => {
  for (const [onTime, judged, shown] of [
    [0, 0, '–'],
    [0, 4, '0%'],
    [4, 4, '100%'],
    [2, 3, '67%'],
    [999, 1_000, '99%'],
    [1, 1_000, '1%'],
  ] as const)
    assert.equal(shareOnTime({ judged, onTime }), shown, `${onTime} of ${judged}`)
  assert.equal(shareOf(995, 1_000), '99%')
})
