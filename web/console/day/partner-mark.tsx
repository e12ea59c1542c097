import { Handshake } from 'lucide-react'
import { type Task, useCompany } from '../../api/data.ts'
import { partnersOf } from '../../tasks/partner.ts'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/console.ts'

interface Props {
  task: Task
  /** Only the symbol; its words are the title. */
  brief?: true
  /** Without who drives it there. */
  driverless?: true
  className?: string
}

/** Says that a partner has a part in the task. Nothing for all the others, which are most. */
export const PartnerMark = (props: Props) => props.task.side && <Mark {...props} />

function Mark({ task, brief, driverless, className }: Props) {
  const [words, driver] = usePartnerWords(task)
  const all = [words, driver].filter(Boolean).join(' · ')
  if (brief)
    return (
      <span title={all} className={join('shrink-0 text-ink-soft', className)}>
        <Handshake role="img" aria-label={all} className="size-3.5" />
      </span>
    )
  return (
    <span title={all} className={join('flex min-w-0 items-center gap-1', className)}>
      <Handshake aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">{driverless ? words : all}</span>
    </span>
  )
}

/** "From Shop", "With Curier Rapid", or both in the middle of a chain; and who drives it there. */
function usePartnerWords(task: Task): [words: string, driver: string | undefined] {
  const say = useSay()
  const { data: company } = useCompany()
  const { from, to } = partnersOf(task, company?.id)
  const words = [from && say('fromPartner', { partner: from.name }), to && say('withPartner', { partner: to.name })]
  return [words.filter(Boolean).join(' · '), task.fulfillerDriver?.name]
}
