import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/words.ts'
import { keepDone } from '../outbox/keep.ts'
import { useDay, useIsOnDuty } from './day.ts'
import { HonestLine } from './honest-line.tsx'
import { OrderMark } from './order-mark.tsx'

/** Duty, who works, the hours of the shift, how much is done, and whether all of it has been sent. */
export function DutyRow({ title, done, all }: { title: string; done: number; all: number }) {
  const say = useSay()
  const { name, startShiftTime: from, endShiftTime: to } = useDay().day.user
  const isOn = useIsOnDuty()
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
            onClick={() => void keepDone([{ type: 'duty', inShift: !isOn }])}
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
      <HonestLine />
      <OrderMark />
    </header>
  )
}
