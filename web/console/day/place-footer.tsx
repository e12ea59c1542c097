import { useId } from 'react'
import { type Placing, placings } from '../../../contract/planning.ts'
import type { Driver, Task } from '../../api/data.ts'
import { join } from '../../ui/class-names.ts'
import { useLaterSay } from '../../words/later.ts'
import { placeWords, usePlaces, usePlaceTexts } from './use-places.ts'

interface Props {
  /** The driver at whom one is looking. */
  driver: Driver | undefined
  tasks: Task[]
  chosen: Placing
  onChoose: (placing: Placing) => void
}

/** Where in the route tasks go that are about to be assigned, and what that means for this driver. */
export default function PlaceFooter({ driver, tasks, chosen, onChoose }: Props) {
  const say = useLaterSay('days')
  const name = useId()
  const placeOf = usePlaces(driver?.id, tasks)
  const { more, arrival, late } = usePlaceTexts()
  const place = placeOf(chosen)
  return (
    <fieldset className="min-w-0 border-line border-t pt-2">
      <legend className="float-left mb-1 w-full text-ink-soft text-xs">
        {driver ? say('placeInRouteOf', { driver: driver.name }) : say('placeInRoute')}
      </legend>
      <div className="clear-both grid grid-cols-3 gap-1">
        {placings.map((placing) => (
          <label
            key={placing}
            className={join(
              'grid cursor-pointer justify-items-center rounded-md border px-1 py-1 text-center leading-tight has-focus-visible:outline-2 has-focus-visible:outline-accent',
              placing === chosen ? 'border-accent bg-chosen font-medium' : 'border-line hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={placing === chosen}
              onChange={() => onChoose(placing)}
              className="sr-only"
            />
            <span>{say(placeWords[placing])}</span>
            <span className="numbers text-ink-soft text-xs">{driver ? more(placeOf(placing)) : ''}</span>
          </label>
        ))}
      </div>
      <p role="status" className="mt-1 min-h-8 text-xs">
        {place && <span className={late(place) ? 'text-bad' : 'text-ink-soft'}>{late(place) ?? arrival(place)}</span>}
      </p>
    </fieldset>
  )
}
