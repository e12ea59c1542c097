import { useState } from 'react'
import { hoursOn, shiftsOf } from '../../../core/shift-bounds.ts'
import { dayOf } from '../../../core/task-day.ts'
import { InTransit } from '../../../core/task-status.ts'
import { shortAddress } from '../../tasks/address.ts'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/driver.ts'
import { phone } from '../outbox/phone.ts'
import { useDay, useIsOnDuty, useNow } from './day.ts'
import { OrderMark } from './order-mark.tsx'
import { Question } from './question.tsx'
import { SyncStatus } from './sync-status.tsx'

/** Duty, who works, the hours of the shift, how much is done, and whether all of it has been sent. */
export function DutyRow({ title, done, all }: { title: string; done: number; all: number }) {
  const say = useSay()
  const { day, tasks } = useDay()
  const { name, startShiftTime, endShiftTime, shiftTimes, company } = day.user
  const today = dayOf(useNow(), company.timezone)
  const own = { start: startShiftTime, end: endShiftTime, shiftTimes }
  const { start: from, end: to } = hoursOn(shiftsOf(own, company.shiftTimes), today)
  const isOn = useIsOnDuty()
  const [asks, setAsks] = useState(false)
  const underway = tasks.find(({ statusId }) => statusId === InTransit)
  const change = () => {
    setAsks(false)
    void phone.keepDone([{ type: 'duty', inShift: !isOn }])
  }
  return (
    <header className="border-line border-b bg-surface pt-[env(safe-area-inset-top)]">
      <h1 className="sr-only">{title}</h1>
      <div className="flex flex-wrap items-center justify-end gap-x-3 border-line border-b px-4 py-2">
        <div className="flex min-w-0 flex-1 basis-[9rem] items-center gap-3">
          <button
            type="button"
            role="switch"
            aria-checked={isOn}
            aria-label={say('onDuty')}
            onClick={() => (isOn && underway ? setAsks(true) : change())}
            className="grid h-12 w-15 shrink-0 place-items-center"
          >
            <span
              className={join(
                'flex h-8.5 w-15 items-center rounded-full border p-1',
                isOn ? 'justify-end border-good bg-good' : 'border-line-strong bg-sunken',
              )}
            >
              <span className={join('size-6 rounded-full', isOn ? 'bg-surface' : 'bg-line-strong')} />
            </span>
          </button>
          <div className="min-w-0 flex-1">
            <p className="font-semibold text-large">{say(isOn ? 'onDuty' : 'offDuty')}</p>
            <p className="break-words text-ink-soft">{name}</p>
            {from && to && <p className="numbers text-ink-soft">{say('shiftHours', { from, to })}</p>}
          </div>
        </div>
        <p className="flex max-w-min flex-wrap items-baseline justify-end gap-x-1.5 text-right">
          <span className="numbers whitespace-nowrap font-semibold text-large">{say('doneOf', { done, all })}</span>
          <span className="text-ink-soft">{say('doneLabel')}</span>
        </p>
      </div>
      <SyncStatus />
      <OrderMark />
      {asks && underway && (
        <Question
          title="endDutyAsk"
          lead={say('endDutyLead', { stop: shortAddress(underway) })}
          answers={[
            { word: 'stayOnDuty', run: () => setAsks(false) },
            { word: 'endDuty', run: change },
          ]}
          onClose={() => setAsks(false)}
        />
      )}
    </header>
  )
}
