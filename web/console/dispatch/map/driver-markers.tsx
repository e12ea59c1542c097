import { Bike, Car, Footprints, LocateOff, type LucideIcon, Motorbike, Navigation2, Truck, Van } from 'lucide-react'
import type { Driver } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { MapMarker } from '../../../map/marker.tsx'
import type { Stage } from '../../../map/stage.ts'
import { useAge } from '../../../ui/age.ts'
import { join } from '../../../ui/class-names.ts'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { initialsOf } from '../../day/driver-order.ts'
import { useTaskTarget } from '../drag.ts'
import { useMoveTasks } from '../moving.ts'
import { type DriverPlace, isStale } from './places.ts'

const transports: Record<number, LucideIcon> = { 1: Footprints, 2: Bike, 3: Motorbike, 4: Car, 5: Van, 6: Truck }

/** The drivers on the map. A click shows a driver's route; tasks dropped on a driver are assigned to them. */
export function DriverMarkers({ stage, places }: { stage: Stage; places: Map<number, DriverPlace> }) {
  const { drivers, filters, change, isToday } = useDispatch()
  if (!isToday) return null
  return drivers
    .filter(({ driverTeams }) => !filters.team || driverTeams.some(({ id }) => id === filters.team))
    .map((driver) => {
      const place = places.get(driver.id)
      // Without a phone position, the place of a driver off duty is unknown.
      if (!place || (!driver.inShift && place.from === 'task')) return null
      const isChosen = filters.driver === driver.id
      return (
        <MapMarker key={driver.id} map={stage.map} point={place.point} level={isChosen ? 2 : 1}>
          <DriverDisc
            driver={driver}
            place={place}
            isChosen={isChosen}
            onChoose={() => change({ driver: isChosen ? undefined : driver.id })}
          />
        </MapMarker>
      )
    })
}

interface DiscProps {
  driver: Driver
  place: DriverPlace
  isChosen: boolean
  onChoose: () => void
}

function DriverDisc({ driver, place, isChosen, onChoose }: DiscProps) {
  const say = useSay()
  const { now } = useDispatch()
  const age = useAge()
  const { time } = useFormats()
  const move = useMoveTasks()
  const { ref, over } = useTaskTarget({ onDrop: (tasks) => void move(tasks, driver) })
  const stale = isStale(place, now)
  const Transport = transports[driver.driverTransportationId ?? 0]
  const silent = driver.silentSince && say('noPositionSince', { time: time(driver.silentSince) })
  const state = silent || say(driver.inShift ? 'onDuty' : 'offDuty')
  const where = say(place.from === 'phone' ? 'positionOf' : 'placeByTask', { age: age(place.at, now) })
  return (
    <button
      ref={ref}
      type="button"
      aria-pressed={isChosen}
      title={`${driver.name} · ${state}\n${where}`}
      data-marker={driver.id}
      data-stale={stale}
      onClick={onChoose}
      className="group relative grid justify-items-center rounded-full"
    >
      {place.heading !== undefined && !stale && (
        <Navigation2
          aria-hidden
          style={{ transform: `rotate(${place.heading}deg) translateY(-21px)` }}
          className="absolute top-2.5 size-3 fill-ink text-ink"
        />
      )}
      <span
        className={join(
          'relative grid size-8 place-items-center rounded-full border-2 font-bold text-[11px] shadow-raised',
          isChosen ? 'border-on-brand bg-brand text-on-brand outline-2 outline-brand' : lookOf(driver, place, stale),
          over && 'scale-125 outline-3 outline-accent',
        )}
      >
        <span className="sr-only">{`${driver.name}, ${state}, ${where}`}</span>
        <span aria-hidden>{initialsOf(driver.name)}</span>
        {Transport && (
          <span className="absolute -right-1.5 -bottom-1.5 grid size-4 place-items-center rounded-full border border-line bg-surface text-ink">
            <Transport aria-hidden className="size-2.5" />
          </span>
        )}
      </span>
      {stale && (
        <span
          aria-hidden
          className={join(
            'numbers -mt-0.5 flex items-center gap-0.5 whitespace-nowrap rounded px-1 text-[10px] leading-tight shadow-raised',
            silent ? 'bg-waiting-soft text-waiting' : 'bg-surface text-ink-soft',
          )}
        >
          {silent && <LocateOff className="size-2.5" />}
          {age(place.at, now)}
        </span>
      )}
    </button>
  )
}

/** Dark: current position; pale: some time ago; dashed: only derived from tasks. */
function lookOf({ inShift }: Driver, { from }: DriverPlace, stale: boolean): string {
  if (from === 'task') return 'border-dashed border-ink-soft bg-surface text-ink'
  if (stale) return 'border-line-strong bg-sunken text-ink-soft'
  return inShift ? 'border-surface bg-ink text-surface' : 'border-surface bg-ink-faint text-surface'
}
