import type { Refused } from '../../../phone/kept.ts'
import { groupByCause } from '../../../phone/refused.ts'
import { join } from '../../ui/class-names.ts'
import { type Say, useSay } from '../../words/driver.ts'
import { useActionText, useCauseText } from './actions.ts'

/** How it stands with something the server did not accept, and with whom. */
export function standOf({ isConflict, decision, isRead }: Refused, say: Say): { text: string; isBad: boolean } {
  if (decision) return { text: say(decision.applied ? 'officeAccepted' : 'officeRefused'), isBad: !decision.applied }
  return isConflict && isRead ? { text: say('officeDecides'), isBad: false } : { text: say('notAccepted'), isBad: true }
}

interface Props {
  refused: readonly Refused[]
  /** With the causes, not only what it is. */
  isFull?: boolean
}

/** On a stop: what the driver did to it that does not count, so that it does not look like an untouched one. */
export function NotAccepted({ refused, isFull = false }: Props) {
  const say = useSay()
  const actionText = useActionText()
  const causeText = useCauseText()
  return groupByCause(refused).flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { text, isBad } = standOf(first, say)
    const actions = group.map(({ op }) => actionText(op)).join(', ')
    return (
      <span key={first.id} className="block">
        <span className={join('block font-semibold', isBad ? 'text-bad' : 'text-ink-soft')}>
          {text}: {actions}
        </span>
        {isFull && (
          <span className="block">
            {first.decision ? first.decision.note : causeText(first)}
            {!first.decision &&
              !first.isRead &&
              group.some(({ isConflict }) => isConflict) &&
              ` ${say('keptForOffice')}`}
          </span>
        )}
      </span>
    )
  })
}
