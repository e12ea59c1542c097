import { ArrowUpDown } from 'lucide-react'
import { useSay } from '../../words/driver.ts'
import { phone } from '../outbox/phone.ts'
import { useDay, useDriverFormats } from './day.ts'

/** Says that the office changed the order of the stops, until the driver has read it. */
export function OrderMark() {
  const say = useSay()
  const formats = useDriverFormats()
  const { orderChangedAt } = useDay().day
  return (
    <div role="status" className="border-line border-t bg-given-soft text-given empty:hidden">
      {orderChangedAt && (
        <p className="flex items-center gap-2 py-1 pl-4 font-semibold">
          <ArrowUpDown aria-hidden className="size-5 shrink-0" />
          <span className="min-w-0 flex-1">{say('orderChanged', { time: formats.time(orderChangedAt) })}</span>
          <button type="button" className="min-h-12 min-w-16 px-4" onClick={() => void phone.dismissOrder()}>
            {say('gotIt')}
          </button>
        </p>
      )}
    </div>
  )
}
