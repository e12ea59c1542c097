import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../../../../contract/operations.ts'
import { monthOf } from '../../../../core/day-range.ts'
import { dayOf } from '../../../../core/task-day.ts'
import { api } from '../../../api/client.ts'
import { keysOf, type Partner } from '../../../api/data.ts'
import { localeOf } from '../../../api/formats.ts'
import { useFormats } from '../../../api/time.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/state.tsx'
import { useSpeech } from '../../../words/console.ts'
import { useLaterSay } from '../../../words/later.ts'
import { namePartner } from '../../tasks/hand-over/name-partner.ts'

type Owed = Answer<'getPartnerBalance'>['balance']['toUs']

/** What each collected for the other in a month, by day. This month first. */
export default function BalanceDialog({ partner, onClose }: { partner: Partner; onClose: () => void }) {
  const say = useLaterSay('partners')
  const { timeZone } = useFormats()
  const [months, setMonths] = useState(0)
  const { from, to } = monthOf(dayOf(Date.now(), timeZone), months)
  const { companyId } = partner
  const balance = useQuery({
    queryKey: [...keysOf.partners, companyId, 'balance', from],
    queryFn: async () => (await api.getPartnerBalance({ params: { companyId }, query: { from, to } })).balance,
  })
  const name = namePartner(partner, say)
  return (
    <Dialog title={say('balanceOf', { partner: name })} lead={say('balanceLead')} open onClose={onClose} side>
      <div className="grid gap-5">
        <div className="flex items-center justify-between">
          <IconButton label={say('earlierMonth')} onClick={() => setMonths(months - 1)}>
            <ChevronLeft />
          </IconButton>
          <h3 aria-live="polite" className="font-semibold">
            <MonthName day={from} />
          </h3>
          <IconButton label={say('laterMonth')} disabled={months >= 0} onClick={() => setMonths(months + 1)}>
            <ChevronRight />
          </IconButton>
        </div>
        <Loaded query={balance}>
          {({ toUs, toThem }) => (
            <>
              <Side title={say('collectedByThem', { partner: name })} owed={toUs} />
              <Side title={say('collectedByUs', { partner: name })} owed={toThem} />
            </>
          )}
        </Loaded>
      </div>
    </Dialog>
  )
}

function MonthName({ day }: { day: string }) {
  const { language } = useSpeech()
  const locale = localeOf(language, navigator.languages)
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(new Date(day))
}

function Side({ title, owed: { total, days } }: { title: string; owed: Owed }) {
  const say = useLaterSay('partners')
  const { money, dayInWords, number } = useFormats()
  return (
    <section aria-label={title} className="grid gap-1">
      <h4 className="flex flex-wrap items-baseline justify-between gap-x-3 font-medium">
        {title}
        <span className="numbers font-semibold text-base">{money(total)}</span>
      </h4>
      {days.length === 0 ? (
        <p className="text-ink-soft">{say('nothingCollected')}</p>
      ) : (
        <table className="numbers w-full border-collapse">
          <thead>
            <tr className="border-line border-b text-ink-faint text-xs">
              <th scope="col" className="py-1 text-left font-medium">
                {say('day')}
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                {say('collectedPayments')}
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                {say('collectedAmount')}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, amount, count }) => (
              <tr key={day} className="border-line border-b last:border-0">
                <th scope="row" className="py-1 text-left font-normal">
                  {dayInWords(day, true)}
                </th>
                <td className="py-1 text-right text-ink-soft">{number(count)}</td>
                <td className="py-1 text-right">{money(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
