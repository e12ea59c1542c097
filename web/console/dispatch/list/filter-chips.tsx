import { X } from 'lucide-react'
import type { Task } from '../../../api/data.ts'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import type { Filters } from '../../day/filters.ts'

/** As the tasks of the day name it; the page need not know the partners for that. */
function nameOfPartner(tasks: Task[], id: number) {
  const task = tasks.find(({ ownerId, fulfillerId }) => ownerId === id || fulfillerId === id)
  return task?.ownerId === id ? task.owner.name : task?.fulfiller.name
}

/** The active filters that are not shown elsewhere, each with a button to remove it. */
export function FilterChips() {
  const say = useSay()
  const { filters, change, driverById, teams, all } = useDispatch()
  const chips: { name: keyof Filters; text: string }[] = []
  if (filters.driver) chips.push({ name: 'driver', text: driverById.get(filters.driver)?.name ?? say('driver') })
  if (filters.team) chips.push({ name: 'team', text: teams.find(({ id }) => id === filters.team)?.name ?? say('team') })
  if (filters.partner) chips.push({ name: 'partner', text: nameOfPartner(all, filters.partner) ?? say('partner') })
  if (filters.risk) chips.push({ name: 'risk', text: say('atRisk') })
  if (filters.doubt) chips.push({ name: 'doubt', text: say('addressesToCheck') })
  return chips.map(({ name, text }) => (
    <button
      key={name}
      type="button"
      aria-label={say('removeFilter', { filter: text })}
      onClick={() => change({ [name]: undefined })}
      className="flex h-6 max-w-48 items-center gap-1 rounded-full bg-chosen pr-1.5 pl-2.5 text-ink text-xs hover:bg-hover"
    >
      <span className="truncate">{text}</span>
      <X aria-hidden className="size-3 shrink-0" />
    </button>
  ))
}
