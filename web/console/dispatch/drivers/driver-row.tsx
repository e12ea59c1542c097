import { CalendarOff, EllipsisVertical, Power, TriangleAlert, UserMinus, Waypoints } from 'lucide-react'
import { Popover } from 'radix-ui'
import { lazy, memo } from 'react'
import type { Placing } from '../../../../contract/planning.ts'
import type { Driver, Task } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import type { Formats } from '../../../api/time.ts'
import { shortAddress } from '../../../tasks/address.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { Later } from '../../../ui/later.tsx'
import { useSay } from '../../../words/console.ts'
import type { Load } from '../../day/driver-load.ts'
import { initialsOf } from '../../day/driver-order.ts'
import { useSwitchDuty } from '../../day/duty.ts'
import { useMayUnassign } from '../../day/may-unassign.ts'
import { RunSheetLink } from '../../day/run-sheet.tsx'
import { SilentMark } from '../../day/silent-mark.tsx'
import { workdayOf } from '../../day/workday.ts'
import { RouteActions } from '../../planning/route-actions.tsx'
import { usePlaceTarget } from '../drag.ts'
import { useOpened } from '../opened.tsx'
import { TransportIcon } from './transport.tsx'

const DropPlaces = lazy(() => import('../drop-places.tsx'))

interface Props {
  driver: Driver
  load: Load
  day: string
  isToday: boolean
  isAbsent: boolean
  chosen: boolean
  formats: Formats
  onPick: (driver: Driver) => void
  onTrack: (driver: Driver) => void
  onGive: (tasks: Task[], driver: Driver | null, placing?: Placing) => void
}

/** One driver with progress and next task. Tasks can be dropped on it. */
export const DriverRow = memo(function DriverRow(props: Props) {
  const { driver, load, day, isToday, isAbsent, chosen, formats, onPick, onTrack, onGive } = props
  const say = useSay()
  const { ref, over, placing, carried } = usePlaceTarget({
    canDrop: () => driver.active,
    onDrop: (tasks, placing) => onGive(tasks, driver, placing),
  })
  return (
    <li
      ref={ref}
      data-driver={driver.id}
      className={join(
        'group relative flex h-14 items-center gap-2.5 border-line border-b pr-1 pl-3',
        chosen ? 'bg-chosen' : 'hover:bg-hover',
        over && '!bg-chosen ring-2 ring-accent ring-inset',
      )}
    >
      <span
        aria-hidden
        className="relative grid size-8 shrink-0 place-items-center rounded-full bg-sunken font-semibold text-[11px]"
      >
        {initialsOf(driver.name)}
        <span
          className={join(
            'absolute -right-px -bottom-px size-2.5 rounded-full border-2 border-surface',
            !isToday || !driver.inShift ? 'bg-line-strong' : driver.silentSince ? 'bg-waiting' : 'bg-good',
          )}
        />
      </span>
      <div className="min-w-0 grow">
        <div className="flex items-center gap-1.5 leading-tight">
          <button
            type="button"
            aria-pressed={chosen}
            title={say('onlyThisDriver', { driver: driver.name })}
            onClick={() => onPick(driver)}
            className="truncate font-medium after:absolute after:inset-0 after:right-8"
          >
            {driver.name}
          </button>
          <TransportIcon id={driver.driverTransportationId} />
          {isToday && <SilentMark driver={driver} />}
          <WorkMark driver={driver} day={day} isToday={isToday} isAbsent={isAbsent} />
          {load.late > 0 && (
            <span
              title={say('lateCount', { n: load.late })}
              className="numbers flex shrink-0 items-center gap-0.5 rounded bg-bad-soft px-1 font-medium text-[11px] text-bad leading-4"
            >
              <TriangleAlert aria-hidden className="size-3" />
              <span aria-hidden>{load.late}</span>
              <span className="sr-only">{say('lateCount', { n: load.late })}</span>
            </span>
          )}
        </div>
        <div className="flex items-center gap-2">
          <div aria-hidden className="h-[3px] grow overflow-hidden rounded bg-sunken">
            <div className="h-full bg-good" style={{ width: `${(100 * load.done) / Math.max(1, load.total)}%` }} />
          </div>
          <span className="numbers shrink-0 text-ink-soft text-xs leading-tight">
            <span aria-hidden>{`${load.done}/${load.total}`}</span>
            <span className="sr-only">{say('progressOfDriver', { done: load.done, all: load.total })}</span>
          </span>
        </div>
        <NextStop load={load} formats={formats} />
      </div>
      <DriverActions driver={driver} day={day} load={load} onTrack={onTrack} onGive={onGive} />
      {placing && (
        <Later>
          <DropPlaces driverId={driver.id} tasks={carried} over={placing} />
        </Later>
      )}
    </li>
  )
})

/** When the driver works on another day; that they are absent, on any day. */
function WorkMark({ driver, day, isToday, isAbsent }: Pick<Props, 'driver' | 'day' | 'isToday' | 'isAbsent'>) {
  const say = useSay()
  const { works, hours } = workdayOf(driver, day, isAbsent)
  if (isToday && !isAbsent && driver.active) return null
  const text = !driver.active ? say('inactive') : isAbsent ? say('absentThen') : works ? hours : say('dayOffThen')
  return (
    <span className={join('numbers shrink-0 text-xs', isAbsent || !driver.active ? 'text-waiting' : 'text-ink-soft')}>
      {text}
    </span>
  )
}

function NextStop({ load, formats }: Pick<Props, 'load' | 'formats'>) {
  const say = useSay()
  const { next } = load
  const arrival = next?.etaAt
  return (
    <div className="numbers flex gap-1.5 text-ink-faint text-xs leading-tight">
      <span className="truncate">
        {next ? say('nextStop', { address: shortAddress(next) }) : say(load.total > 0 ? 'allDone' : 'nothingToDo')}
      </span>
      {arrival && <span className="ml-auto shrink-0 text-ink-soft">{formats.time(arrival)}</span>}
    </div>
  )
}

function DriverActions(props: Pick<Props, 'driver' | 'day' | 'load' | 'onTrack' | 'onGive'>) {
  const { driver, day, load, onTrack, onGive } = props
  const say = useSay()
  const may = useMay()
  const mayUnassign = useMayUnassign()
  const duty = useSwitchDuty()
  const { open } = useOpened()
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          aria-label={say('actionsFor', { driver: driver.name })}
          className="relative grid h-8 w-6 shrink-0 place-items-center rounded-md text-ink-faint hover:bg-hover hover:text-ink"
        >
          <EllipsisVertical aria-hidden className="size-4" />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={2}
          aria-label={say('actionsFor', { driver: driver.name })}
          className="z-50 grid min-w-44 gap-1 rounded-lg border border-line bg-raised p-1.5 shadow-raised"
        >
          <RouteActions driver={driver} />
          <Popover.Close asChild>
            <Button look="quiet" className="justify-start" onClick={() => onTrack(driver)}>
              <Waypoints aria-hidden />
              {say('showTrack')}
            </Button>
          </Popover.Close>
          <Popover.Close asChild>
            <RunSheetLink driver={driver} day={day} />
          </Popover.Close>
          {may('drivers:write') && driver.active && (
            <Popover.Close asChild>
              <Button look="quiet" className="justify-start" onClick={() => duty.mutate(driver)}>
                <Power aria-hidden />
                {say(driver.inShift ? 'goOffDuty' : 'goOnDuty')}
              </Button>
            </Popover.Close>
          )}
          {may('drivers:write') && mayUnassign && (
            <Popover.Close asChild>
              <Button look="quiet" className="justify-start" onClick={() => open({ what: 'unavailable', driver })}>
                <CalendarOff aria-hidden />
                {say('makeUnavailable')}
              </Button>
            </Popover.Close>
          )}
          {mayUnassign && (
            <Popover.Close asChild>
              <Button
                look="quiet"
                className="justify-start"
                disabled={load.open.length === 0}
                onClick={() => onGive(load.open, null)}
              >
                <UserMinus aria-hidden />
                {say('unassignAll')}
              </Button>
            </Popover.Close>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
