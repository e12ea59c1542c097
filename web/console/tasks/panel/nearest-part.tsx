import { LocateFixed } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Task } from '../../../api/data.ts'
import { useIsShop, useMay } from '../../../api/session.ts'
import { useFormats } from '../../../api/time.ts'
import { canAssign } from '../../../tasks/moves.ts'
import { useAge } from '../../../ui/age.ts'
import { Button } from '../../../ui/button.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { loadsOf, noLoad } from '../../day/driver-load.ts'
import { PlaceMenu } from '../../day/place-menu.tsx'
import { Part } from './fact.tsx'
import { useGive } from './give.ts'
import { type Near, nearestTo } from './nearest.ts'

const few = 3
const more = 8

/** Who is nearest to a task that can be assigned, with the button to do so. Only today: where drivers are is now. */
export function NearestPart({ task }: { task: Task }) {
  const say = useSay()
  const may = useMay()
  const { isToday, drivers } = useDispatch()
  const isShop = useIsShop()
  const [isOpen, setOpen] = useState(task.userId === null)
  const [showsMore, setShowsMore] = useState(false)
  const near = useMemo(() => nearestTo(task, drivers), [task, drivers])
  if (!isToday || isShop || !may('tasks:write') || !canAssign(task) || task.address.lat === null) return null
  const unseen = drivers.filter(({ inShift, position }) => inShift && !position).length
  return (
    <Part
      title={say('nearestDrivers')}
      actions={
        !isOpen && (
          <Button onClick={() => setOpen(true)}>
            <LocateFixed aria-hidden />
            {say('showNearest')}
          </Button>
        )
      }
    >
      {isOpen && (
        <>
          {near.length === 0 && <p className="text-ink-soft">{say('nobodyNear')}</p>}
          <ol aria-label={say('nearestDrivers')} className="grid gap-1">
            {near.slice(0, showsMore ? more : few).map((one) => (
              <NearLine key={one.driver.id} task={task} near={one} />
            ))}
          </ol>
          {near.length > few && !showsMore && (
            <Button look="quiet" className="-ml-2 !h-7" onClick={() => setShowsMore(true)}>
              {say('moreDrivers')}
            </Button>
          )}
          {unseen > 0 && <p className="mt-1 text-ink-faint text-xs">{say('unseenDrivers', { n: unseen })}</p>}
        </>
      )}
    </Part>
  )
}

function NearLine({ task, near: { driver, seconds, metres, seenAt } }: { task: Task; near: Near }) {
  const say = useSay()
  const { all, now } = useDispatch()
  const { duration, distance } = useFormats()
  const age = useAge()
  const give = useGive(task)
  const loads = useMemo(() => loadsOf(all, now), [all, now])
  const { open } = loads.get(driver.id) ?? noLoad
  const facts = [
    say('roughly', { duration: duration(Math.max(60, seconds)) }),
    distance(metres),
    say('openCount', { n: open.length }),
  ]
  return (
    <li className="flex items-center gap-2">
      <span className="min-w-0 grow leading-tight">
        <span className="block truncate font-medium">{driver.name}</span>
        <span className="numbers block text-ink-soft text-xs">{facts.join(' · ')}</span>
        <span className={driver.silentSince ? 'block text-waiting text-xs' : 'block text-ink-faint text-xs'}>
          {say('positionOf', { age: age(seenAt, now) })}
        </span>
      </span>
      {driver.id === task.userId ? (
        <span className="shrink-0 px-2 text-ink-soft">{say('state6')}</span>
      ) : (
        <PlaceMenu
          driver={driver}
          tasks={[task]}
          onChoose={(placing) => void give(driver, placing)}
          trigger={
            <Button className="shrink-0" aria-label={say('assignToDriver', { driver: driver.name })}>
              {say('assign')}
            </Button>
          }
        />
      )}
    </li>
  )
}
