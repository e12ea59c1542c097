import { useMemo } from 'react'
import type { Task } from '../../../api/data.ts'
import { itemProblem } from '../../../api/problem.ts'
import { useFormats } from '../../../api/time.ts'
import { type Say, useSay } from '../../../words/console.ts'
import { messageLine } from '../message-result.tsx'
import { type Activity, activityOf } from './activity.ts'
import { reportedWordOf, scanWordOf, wordOf } from './activity-words.ts'
import { addedNotes, tellChanges } from './change-words.ts'
import { Part } from './fact.tsx'

/** What happened to the task: who did it, what changed, when. The latest first. */
export function ActivityPart({ task }: { task: Task }) {
  const say = useSay()
  const activities = useMemo(() => activityOf(task), [task])
  return (
    <Part title={say('activity')}>
      <ol className="relative grid gap-3 border-line border-l pl-4">
        {activities.map((activity) => (
          <ActivityLine key={activity.id} activity={activity} />
        ))}
      </ol>
    </Part>
  )
}

function ActivityLine({ activity }: { activity: Activity }) {
  const say = useSay()
  const formats = useFormats()
  const { scan, settled, message, delegated, undelegated, notDelegated, corrected, notReturned } = activity.remark
  const reported = reportedWordOf(activity.remark)
  const notes = addedNotes(activity.changes)
  // The driver and the reason are already in the sentence or in the facts above.
  const changes = tellChanges(
    activity.changes.filter(({ field }) => field !== 'user' || activity.event === 'TASK_UPDATED'),
    say,
    formats,
  )
  return (
    <li className="relative">
      <span aria-hidden className="absolute top-1.5 -left-[1.22rem] size-1.5 rounded-full bg-line-strong" />
      <p>
        <span className="font-medium">{nameOf(activity, say)}</span>{' '}
        {say(wordOf(activity, notes.length > 0), {
          driver: activity.driver ?? '',
          partner: (delegated ?? undelegated)?.name ?? '',
          amount: formats.money(activity.remark.payment?.amount ?? 0),
        })}
      </p>
      {notDelegated && <p className="text-ink-soft">{itemProblem(notDelegated, say)}</p>}
      {notReturned && <p className="text-ink-soft">{itemProblem(notReturned, say)}</p>}
      {corrected?.reason && (
        <p className="whitespace-pre-line text-ink-soft [overflow-wrap:anywhere]">{corrected.reason}</p>
      )}
      {message && <p className="text-ink-soft">{messageLine(message, say)}</p>}
      {reported && <p className="text-ink-soft">{say(reported)}</p>}
      {settled?.note && <p className="whitespace-pre-line text-ink-soft [overflow-wrap:anywhere]">{settled.note}</p>}
      {notes.map((note, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a past event does not change
        <p key={index} className="whitespace-pre-line text-ink-soft [overflow-wrap:anywhere]">
          {note}
        </p>
      ))}
      {scan && (
        <p className={scan.matches ? 'text-ink-soft' : 'text-bad'}>
          {say(scanWordOf(scan), { field: scan.field ?? '' })}
        </p>
      )}
      {changes.map(({ label, before, after }) => (
        <p key={label} className="text-ink-soft [overflow-wrap:anywhere]">
          {label}:{' '}
          {before && (
            <>
              <del className="text-ink-faint">{before}</del> →{' '}
            </>
          )}
          <ins className="text-ink no-underline">{after || say('nothingBefore')}</ins>
        </p>
      ))}
      <p className="numbers text-ink-faint text-xs">
        <time dateTime={activity.occurredAt}>{formats.dateTime(activity.occurredAt)}</time>
        {activity.toldAt && ` · ${say('heardLater', { time: formats.time(activity.toldAt) })}`}
      </p>
    </li>
  )
}

/** Customers have no name of their own. */
const nameOf = ({ actor }: Activity, say: Say) =>
  actor.type === 'SYSTEM' && actor.name === 'Customer' ? say('customer') : actor.name
