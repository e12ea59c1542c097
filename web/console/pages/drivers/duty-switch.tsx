import type { Driver } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { join } from '../../../ui/class-names.ts'
import { useSwitchDuty } from '../../day/duty.ts'
import { useSay } from '../record-words.ts'

const looks = ['bg-line-strong', 'bg-good', 'bg-moving']

/** Whether a driver is on duty, and the switch to change it. */
export function DutySwitch({ driver: { id, name, inShift, status } }: { driver: Driver }) {
  const say = useSay()
  const may = useMay()('drivers:write')
  const duty = useSwitchDuty()
  const state = say.known(`duty${status}`) ?? ''
  if (!may)
    return (
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className={join('size-2 rounded-full', looks[status])} />
        {state}
      </span>
    )
  return (
    <button
      type="button"
      role="switch"
      aria-checked={inShift}
      aria-label={say('dutyOf', { name })}
      title={say(inShift ? 'goOffDuty' : 'goOnDuty')}
      aria-busy={duty.isPending || undefined}
      disabled={duty.isPending}
      onClick={() => duty.mutate({ id, inShift })}
      className="inline-flex h-8 items-center gap-2 whitespace-nowrap rounded-md pr-2 hover:bg-hover disabled:opacity-55"
    >
      <span
        aria-hidden
        className={join('flex h-4.5 w-8 items-center rounded-full p-0.5', looks[status], inShift && 'justify-end')}
      >
        <span className="size-3.5 rounded-full bg-surface" />
      </span>
      <span aria-hidden>{state}</span>
    </button>
  )
}
