import { useFormats } from '../../../api/time.ts'
import { type Say, useSay } from '../../../words/console.ts'
import type { Conflict } from '../../conflicts/group.ts'
import { fieldLabel } from '../../tasks/panel/change-words.ts'

type Change = Conflict['meanwhile'][number]

/** What others did to the task since the driver got it. */
export function OfficeStory({ conflict: { meanwhile, error } }: { conflict: Conflict }) {
  const say = useSay()
  const { dateTime } = useFormats()
  const told = meanwhile.flatMap((change) => {
    const text = tell(change, say)
    return text ? [{ ...change, text }] : []
  })
  const isSetting = error.code === 'FORBIDDEN_BY_SETTING'
  return (
    <>
      <ol className="grid gap-3">
        {told.map(({ actor, occurredAt, text }) => (
          <li key={`${occurredAt} ${text}`}>
            <p className="[overflow-wrap:anywhere]">
              <span className="font-medium">{actor.name}</span> {text}
            </p>
            <p className="numbers text-ink-faint text-xs">
              <time dateTime={occurredAt}>{dateTime(occurredAt)}</time>
            </p>
          </li>
        ))}
      </ol>
      {isSetting && <p>{say('settingsChanged')}</p>}
      {told.length === 0 && !isSetting && <p className="text-ink-soft">{say('meanwhileNothing')}</p>}
    </>
  )
}

/** A change in words; nothing if only a detail changed that does not matter here, like the order of a route. */
function tell({ event, user, changed }: Change, say: Say): string | undefined {
  if (event === 'TASK_UPDATED') {
    if (changed.includes('notes')) return say('TASK_NOTED')
    const labels = [...new Set(changed.flatMap((field) => fieldLabel(field, say) ?? []))]
    return labels.length > 0 ? say('changedFields', { fields: labels.join(', ') }) : undefined
  }
  if (event === 'TASK_UNASSIGNED') return say('unassignedFrom', { driver: user?.name ?? '' })
  return say.known(event, { driver: user?.name ?? '' })
}
