import { X } from 'lucide-react'
import type { ShownTask } from '../../../phone/state.ts'
import { shortAddress } from '../../tasks/address.ts'
import { useSay } from '../../words/driver.ts'
import { BigButton, Card } from '../looks/parts.tsx'
import { go, screens } from '../looks/screen.ts'
import { NewTag, StopFacts, StopNumber } from '../route/facts.tsx'
import type { Spot } from './spots.ts'

/**
 * What is at a place, and the way to it. It scrolls inside the card: over a scroller with rounded corners of its own,
 * Chromium without a GPU leaves parts of the map undrawn.
 */
export function ChosenSpot({ spot, onClose }: { spot: Spot<ShownTask>; onClose: () => void }) {
  const say = useSay()
  return (
    <Card
      aria-label={say('tasksHere', { n: spot.stops.length })}
      className="pointer-events-auto flex max-h-3/5 flex-col overflow-hidden shadow-raised [@media(max-height:700px)]:max-h-full"
    >
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-3">
        {spot.stops.map(({ task, number }, at) => (
          <div key={task.id} className="border-line not-first:border-t not-first:pt-3">
            <div className="flex items-center gap-3">
              <StopNumber>{number}</StopNumber>
              <div className="min-w-0 flex-1">
                <h2 className="font-bold text-title leading-tight">{shortAddress(task)}</h2>
                <p className="text-ink-soft">{[task.customer?.name, task.awb].filter(Boolean).join(' · ')}</p>
              </div>
              {task.isNew && <NewTag />}
              {at === 0 && (
                <button
                  type="button"
                  aria-label={say('close')}
                  onClick={onClose}
                  className="-m-2 grid size-12 shrink-0 place-items-center self-start"
                >
                  <X aria-hidden className="size-6" />
                </button>
              )}
            </div>
            <StopFacts task={task} />
            <BigButton className="mt-3" onClick={() => go(screens.task(task.id))}>
              {say('openStop')}
            </BigButton>
          </div>
        ))}
      </div>
    </Card>
  )
}
