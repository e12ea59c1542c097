import type { LoadPosition, Scan, Scanned } from '../../contract/scan.ts'
import type { ScanPlace, ScanResult } from '../../core/loading.ts'
import { dayOf } from '../../core/task-day.ts'
import { statuses } from '../../core/task-status.ts'
import type { Organisation } from '../organisations/queries.ts'
import type { TaskView } from '../tasks/tables.ts'
import type { ScanRow } from './queries.ts'

interface Shown {
  id: number | null
  scan: { code: string; at: ScanPlace; day: string; driverId: number | null }
  result: ScanResult
  task: TaskView | undefined
  already: Date | undefined
  at: Date
  now: Date
  position: LoadPosition | null
  organisation: Organisation
}

export function presentScanned(shown: Shown): Scanned {
  const { id, scan, result, task, already, at, now, position } = shown
  return {
    scan: {
      id,
      code: scan.code,
      at: scan.at,
      result,
      day: scan.day,
      taskId: task?.id ?? null,
      awb: task?.awb ?? null,
      userId: scan.driverId,
      occurredAt: at.toISOString(),
      recordedAt: now.toISOString(),
    },
    scannedBefore: already?.toISOString() ?? null,
    task: task
      ? {
          id: task.id,
          awb: task.awb,
          statusId: task.status_id,
          address: task.address.address,
          atHubAt: task.at_hub_at?.toISOString() ?? null,
          loadedAt: task.loaded_at?.toISOString() ?? null,
        }
      : null,
    driver: task?.driver ? { id: task.driver.id, name: task.driver.name } : null,
    position,
    sentence: sentenceOf(shown),
  }
}

function sentenceOf(shown: Shown): string {
  const { already, organisation } = shown
  const said = verdictOf(shown)
  return already ? `${said}. It was scanned before, ${timeOf(already, organisation.timezone)}` : said
}

function verdictOf({ result, task, position, scan }: Shown): string {
  const driver = task?.driver?.name ?? 'a driver'
  switch (result) {
    case 'expected':
      return position ? `${driver}: stop ${position.stop}, load it ${nth(position.load)} of ${position.of}` : driver
    case 'wrongDriver':
      return position ? `It belongs to ${driver}, stop ${position.stop}` : `It belongs to ${driver}`
    case 'unassigned':
      return 'It has no driver'
    case 'withPartner':
      return 'It was given to a partner'
    case 'otherDay':
      return `It is not for ${scan.day}`
    case 'ended':
      return `Its task has ended: ${task ? statuses[task.status_id].name : ''}`
    case 'unknown':
      return 'No task has this code'
  }
}

const timeOf = (moment: Date, timeZone: string) =>
  `${dayOf(moment, timeZone)} ${moment.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })}`

const endings: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const nth = (number: number) => `${number}${endings[ordinals.select(number)]}`

export const presentScan = (row: ScanRow & { awb: string | null }): Scan => ({
  id: row.id,
  code: row.code,
  at: row.at,
  result: row.result,
  day: row.day,
  taskId: row.task_id,
  awb: row.awb,
  userId: row.user_id,
  occurredAt: row.occurred_at.toISOString(),
  recordedAt: row.recorded_at.toISOString(),
})
