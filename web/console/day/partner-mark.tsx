import { Handshake } from 'lucide-react'
import { type Task, useCompany } from '../../api/data.ts'
import { partnersOf } from '../../tasks/partner.ts'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/console.ts'

interface Props {
  task: Task
  /** Only the symbol; its words are the title. */
  brief?: true
  className?: string
}

/** Says that a partner has a part in the task. Nothing for all the others, which are most. */
export const PartnerMark = (props: Props) => props.task.side && <Mark {...props} />

function Mark({ task, brief, className }: Props) {
  const words = usePartnerWords(task)
  if (brief)
    return (
      <span title={words} className={join('shrink-0 text-ink-soft', className)}>
        <Handshake role="img" aria-label={words} className="size-3.5" />
      </span>
    )
  return (
    <span title={words} className={join('inline-flex min-w-0 items-center gap-1', className)}>
      <Handshake aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">{words}</span>
    </span>
  )
}

/** "From Shop", or "With Curier Rapid · Dan Pop" with who drives it there, or both. */
export function usePartnerWords(task: Task): string {
  const say = useSay()
  const { data: company } = useCompany()
  const { from, to } = partnersOf(task, company?.id)
  return [
    from && say('fromPartner', { partner: from.name }),
    to && say('withPartner', { partner: to.name }),
    task.fulfillerDriver?.name,
  ]
    .filter(Boolean)
    .join(' · ')
}
