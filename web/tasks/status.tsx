import { Check, CircleDashed, CircleDot, Navigation, X } from 'lucide-react'
import { type Side, shownStatus } from '../../core/delegation.ts'
import { Assigned, Failed, InTransit, type StatusId, Succeeded, Unassigned } from '../../core/task-status.ts'
import { join } from '../ui/class-names.ts'
import { useSay } from '../words/shared.ts'

/** The shape and colour of each state, never colour alone. `word` names the group of tasks, `one` the state of one. */
export const statusLooks = {
  [Unassigned]: {
    word: 'status1',
    one: 'state1',
    Icon: CircleDashed,
    text: 'text-waiting',
    soft: 'bg-waiting-soft',
    colour: '--waiting',
  },
  [Assigned]: {
    word: 'status6',
    one: 'state6',
    Icon: CircleDot,
    text: 'text-given',
    soft: 'bg-given-soft',
    colour: '--given',
  },
  [InTransit]: {
    word: 'status7',
    one: 'state7',
    Icon: Navigation,
    text: 'text-moving',
    soft: 'bg-moving-soft',
    colour: '--moving',
  },
  [Succeeded]: {
    word: 'status9',
    one: 'state9',
    Icon: Check,
    text: 'text-good',
    soft: 'bg-good-soft',
    colour: '--good',
  },
  [Failed]: { word: 'status10', one: 'state10', Icon: X, text: 'text-bad', soft: 'bg-bad-soft', colour: '--bad' },
} as const

/** `side` only matters of a task: what a partner has does not look like work that waits for us. */
type Of = { statusId: StatusId; side?: Side | undefined }

/** How the state of one task looks, and what it is called. */
export function lookOf(task: Of) {
  const look = statusLooks[shownStatus(task)]
  return shownStatus(task) === task.statusId ? look : { ...look, one: 'stateWithPartner' as const }
}

export function StatusIcon({ statusId, side, className }: Of & { className?: string }) {
  const say = useSay()
  const { one, Icon, text } = lookOf({ statusId, side })
  return <Icon role="img" aria-label={say(one)} className={join('size-4 shrink-0', text, className)} />
}

export function StatusBadge(task: Of) {
  const say = useSay()
  const { one, Icon, text, soft } = lookOf(task)
  return (
    <span
      className={join('inline-flex shrink-0 items-center gap-1 rounded px-1.5 py-0.5 font-medium text-xs', text, soft)}
    >
      <Icon aria-hidden className="size-3.5" />
      {say(one)}
    </span>
  )
}
