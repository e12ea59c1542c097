import { UsersRound } from 'lucide-react'
import { isEnded } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { useSay } from '../../../words/console.ts'
import { activityOf } from '../panel/activity.ts'
import { changedLabels } from '../panel/change-words.ts'

/** Shows who has changed what since the form was opened. */
export function OthersChanges({ opened, task }: { opened: Task; task: Task }) {
  const say = useSay()
  const formats = useFormats()
  const lines = activityOf(task)
    .filter(({ recordedAt }) => recordedAt > opened.updatedAt)
    .toReversed()
    .flatMap(({ id, actor, changes }) => {
      const fields = changedLabels(changes, say, formats).join(', ')
      return fields ? [{ id, text: say('someoneChanged', { name: actor.name, fields }) }] : []
    })
  const hasEnded = isEnded(task) && !isEnded(opened)
  // The element is always there, because screen readers announce only what appears inside an existing one.
  return (
    <div role="status">
      {(lines.length > 0 || hasEnded) && (
        <div className="mb-4 flex gap-2 rounded-md bg-waiting-soft px-3 py-2 text-waiting">
          <UsersRound aria-hidden className="mt-0.5 size-4 shrink-0" />
          <div>
            {lines.map(({ id, text }) => (
              <p key={id} className="font-medium">
                {text}
              </p>
            ))}
            {hasEnded && (
              <p className="font-medium">{say('endedMeanwhile', { state: say(`state${task.statusId}`) })}</p>
            )}
            <p className="text-ink-soft">{say('someoneChangedLead')}</p>
          </div>
        </div>
      )}
    </div>
  )
}
