import { ArrowRight } from 'lucide-react'
import { useSay } from '../../words/console.ts'
import type { Plan } from './assign-lists.tsx'

/** How many tasks each driver has before and after; drivers who get some come first. */
export function DriversOfPlan({ plan: { drivers } }: { plan: Plan }) {
  const say = useSay()
  const gets = (one: Plan['drivers'][number]) => one.tasksAfter - one.tasksBefore
  const sorted = drivers.toSorted(
    (one, other) => gets(other) - gets(one) || one.driverName.localeCompare(other.driverName),
  )
  return (
    <section>
      <h3 className="pb-1 font-medium text-ink-faint text-xs">{say('planTasksOf')}</h3>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-4">
        {sorted.map((driver) => (
          <li key={driver.driverId} className="flex items-baseline gap-2 border-line border-b py-1">
            <span className="min-w-0 grow truncate">{driver.driverName}</span>
            {driver.reason && <span className="text-ink-faint text-xs">{say(`refused_${driver.reason}`)}</span>}
            <span className="numbers shrink-0">
              {driver.tasksBefore}
              <ArrowRight role="img" aria-label="→" className="mx-1 inline size-3.5 text-ink-soft" />
              <strong className="font-semibold">{driver.tasksAfter}</strong>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
