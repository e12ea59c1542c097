import { type Placing, placings } from '../../../contract/planning.ts'
import type { Driver, Task } from '../../api/data.ts'
import { useLaterSay } from '../../words/later.ts'
import { placeWords, usePlaces, usePlaceTexts } from './use-places.ts'

interface Props {
  driver: Driver
  tasks: Task[]
  onChoose: (placing: Placing) => void
}

/** The places in a driver's route to choose from, each with what it means. */
export default function PlaceChoices({ driver, tasks, onChoose }: Props) {
  const say = useLaterSay('days')
  const placeOf = usePlaces(driver.id, tasks)
  const { more, arrival, late } = usePlaceTexts()
  return (
    <ul aria-label={say('placeInRouteOf', { driver: driver.name })} className="grid gap-0.5">
      {placings.map((placing, index) => {
        const place = placeOf(placing)
        return (
          <li key={placing}>
            <button
              type="button"
              // biome-ignore lint/a11y/noAutofocus: the choice was just opened
              autoFocus={index === 0}
              onClick={() => onChoose(placing)}
              className="grid w-full rounded-md px-2 py-1.5 text-left leading-tight hover:bg-hover"
            >
              <span className="flex gap-2">
                <span className="font-medium">{say(placeWords[placing])}</span>
                <span className="numbers ml-auto">{more(place)}</span>
              </span>
              {place && <span className="text-ink-soft text-xs">{arrival(place)}</span>}
              {place && late(place) && <span className="text-bad text-xs">{late(place)}</span>}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
