import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startingByItself } from './automatic-start.ts'
import { Assigned, InTransit, type StatusId } from './task-status.ts'

const at = (time: string) => new Date(`2026-11-16T${time}:00+02:00`)
const task = (completeAfter: Date | null, completeBefore: Date | null = null, statusId: StatusId = Assigned) => ({
  completeAfter,
  completeBefore,
  statusId,
})

test('the first task of a route starts at its time, on its day, if nothing is in transit', () => {
  const [early, late] = [task(at('09:00'), at('11:00')), task(at('12:00'), at('13:00'))]
  const cases: [what: string, route: ReturnType<typeof task>[], now: string, starts: number | undefined][] = [
    ['before its time', [early], '08:59', undefined],
    ['at its time', [early], '09:00', 0],
    ['hours later, as after a night without the server', [early], '18:00', 0],
    ['not the second, whose time has come', [late, early], '10:00', undefined],
    ['not one without a time', [task(null), early], '10:00', undefined],
    ['not while another is in transit', [early, task(null, null, InTransit)], '10:00', undefined],
    ['not one of yesterday', [task(new Date('2026-11-15T20:00:00+02:00'))], '10:00', undefined],
    ['one that began at midnight', [task(at('00:00'))], '00:01', 0],
    ['an empty route', [], '10:00', undefined],
  ]
  for (const [what, route, now, starts] of cases)
    assert.equal(
      startingByItself(route, 'completeAfter', at(now), 'Europe/Bucharest'),
      starts === undefined ? undefined : route[starts],
      what,
    )
  assert.equal(startingByItself([early], 'completeBefore', at('10:00'), 'Europe/Bucharest'), undefined)
  assert.equal(startingByItself([early], 'completeBefore', at('11:00'), 'Europe/Bucharest'), early)
})
