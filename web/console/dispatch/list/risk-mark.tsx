import { Clock, TriangleAlert } from 'lucide-react'
import type { riskOf } from '../../../tasks/risk.ts'
import { join } from '../../../ui/class-names.ts'
import { useSay } from '../../../words/console.ts'

/** A triangle for late, a clock for tasks that may become late, otherwise nothing. */
export function RiskMark({ risk, className }: { risk: ReturnType<typeof riskOf>; className?: string }) {
  const say = useSay()
  if (risk === 'none') return null
  const [Icon, word, colour] =
    risk === 'late'
      ? ([TriangleAlert, 'late', 'text-bad'] as const)
      : ([Clock, 'atRiskOfLate', 'text-waiting'] as const)
  return (
    <span title={say(word)} className={join('shrink-0', colour, className)}>
      <Icon role="img" aria-label={say(word)} className="size-3.5" />
    </span>
  )
}
