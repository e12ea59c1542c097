import type { StatusId } from '../../../../core/task-status.ts'
import { statusLooks } from '../../../tasks/status.tsx'
import { statusOrder } from '../../../tasks/status-order.ts'
import { join } from '../../../ui/class-names.ts'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'

/** The states with their counts; a click shows only that state. `tall` puts the number above the name. */
export function StatusTabs({ tall = false }: { tall?: boolean }) {
  const say = useSay()
  const { counts, filters, change } = useDispatch()
  const all = statusOrder.reduce((sum, status) => sum + counts[status], 0)
  const show = (status: StatusId | undefined) => change({ status })
  return (
    <fieldset
      className={join(
        'flex',
        tall
          ? 'min-w-0 shrink-0 justify-between overflow-x-auto overflow-y-hidden border-line border-b px-1 [scrollbar-width:none]'
          : 'min-w-0 flex-wrap gap-0.5 short:max-lg:flex-nowrap short:max-lg:overflow-x-auto short:@max-md:hidden [scrollbar-width:none]',
      )}
    >
      <legend className="sr-only">{say('state')}</legend>
      <Tab tall={tall} name={say('all')} count={all} chosen={!filters.status} onClick={() => show(undefined)} />
      {statusOrder.map((status) => (
        <Tab
          key={status}
          tall={tall}
          name={say(statusLooks[status].word)}
          count={counts[status]}
          colour={statusLooks[status].text}
          chosen={filters.status === status}
          onClick={() => show(filters.status === status ? undefined : status)}
        />
      ))}
    </fieldset>
  )
}

interface TabProps {
  name: string
  count: number
  colour?: string
  chosen: boolean
  tall: boolean
  onClick: () => void
}

function Tab({ name, count, colour, chosen, tall, onClick }: TabProps) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onClick}
      className={join(
        'flex items-center whitespace-nowrap',
        tall
          ? '-mb-px h-12 flex-col justify-center border-b-2 px-1 text-[11px] leading-tight'
          : 'h-7 gap-1.5 rounded-md px-2',
        tall && (chosen ? 'border-accent' : 'border-transparent'),
        !tall && chosen && 'bg-chosen',
        chosen ? 'text-ink' : 'text-ink-soft hover:text-ink',
      )}
    >
      <span className={join(chosen && 'font-medium')}>{name}</span>{' '}
      <span className={join('numbers font-semibold', tall && 'order-first text-[15px]', colour)}>{count}</span>
    </button>
  )
}
