import { isMarked } from '../../../../core/certainty.ts'
import { useFormats } from '../../../api/time.ts'
import { riskOf } from '../../../tasks/risk.ts'
import { StatusBadge } from '../../../tasks/status.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { PartnerMark } from '../../day/partner-mark.tsx'
import type { Hovered } from './pointing.ts'

/** Describes the pin under the pointer. The task's panel says the same for people who cannot hover. */
export function Tooltip({ hovered, width }: { hovered: Hovered; width: number }) {
  const say = useSay()
  const { now } = useDispatch()
  const { window } = useFormats()
  const { task, x, y, others } = hovered
  const risk = riskOf(task, now)
  const below = y < 150
  const facts = [window(task.completeAfter, task.completeBefore), task.awb, task.customer?.name, task.user?.name]
  return (
    <div
      role="tooltip"
      style={{
        left: Math.min(Math.max(x, 130), Math.max(width - 130, 130)),
        top: below ? y + 16 : y - 16,
        transform: `translate(-50%, ${below ? '0' : '-100%'})`,
      }}
      className="pointer-events-none absolute z-10 grid w-max max-w-64 gap-0.5 rounded-lg border border-line bg-raised px-2.5 py-1.5 shadow-raised"
    >
      <div className="flex items-center gap-2">
        <StatusBadge statusId={task.statusId} side={task.side} />
        {risk !== 'none' && (
          <span className="font-medium text-bad text-xs">{say(risk === 'late' ? 'late' : 'atRisk')}</span>
        )}
      </div>
      <strong className="font-semibold">{task.address.address}</strong>
      <span className="numbers text-ink-soft text-xs">{facts.filter(Boolean).join(' · ')}</span>
      <PartnerMark task={task} className="text-ink-soft text-xs" />
      {isMarked(task.address) && <span className="text-ink-soft text-xs">≈ {say('approximatePlace')}</span>}
      {others > 0 && <span className="text-ink-soft text-xs">{say('moreHere', { n: others })}</span>}
    </div>
  )
}
