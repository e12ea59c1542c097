import { type Placing, placings } from '../../../contract/planning.ts'
import type { Task } from '../../api/data.ts'
import { join } from '../../ui/class-names.ts'
import { useLaterSay } from '../../words/later.ts'
import { placeWords, usePlaces, usePlaceTexts } from '../day/use-places.ts'

/** While tasks are dragged over a driver: where in the route they can be dropped, and what that means. */
export default function DropPlaces({ driverId, tasks, over }: { driverId: number; tasks: Task[]; over: Placing }) {
  const say = useLaterSay('days')
  const placeOf = usePlaces(driverId, tasks)
  const { more } = usePlaceTexts()
  return (
    <div className="pointer-events-none absolute inset-x-0 top-6 bottom-0 z-20 grid grid-cols-[3fr_1fr_1fr] bg-raised text-center text-[11px] leading-tight">
      {placings.map((placing) => {
        const place = placeOf(placing)
        return (
          <span
            key={placing}
            data-placing={placing}
            className={join(
              'grid place-content-center border-accent p-0.5',
              placing === over ? 'border-2 bg-chosen font-semibold' : 'border border-dashed text-ink-soft',
            )}
          >
            <span>{say(placeWords[placing])}</span>
            <span className={join('numbers', (place?.late.length ?? 0) > 0 && 'text-bad')}>{more(place)}</span>
          </span>
        )
      })}
    </div>
  )
}
