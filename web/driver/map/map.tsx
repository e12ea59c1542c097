import { MapPinOff } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { numberStops } from '../../../core/stop.ts'
import { placesOnWay } from '../../../phone/way.ts'
import { canDraw } from '../../map/can-draw.ts'
import { useSay } from '../../words/driver.ts'
import { useDay, useNow } from '../looks/day.ts'
import { DutyRow } from '../looks/duty-row.tsx'
import { Card, Screen } from '../looks/parts.tsx'
import { goInstead, screens } from '../looks/screen.ts'
import { Tabs } from '../looks/tabs.tsx'
import { listTasks } from '../route/list.ts'
import { ChosenSpot } from './chosen-spot.tsx'
import { pointOf, spotsOf } from './spots.ts'

/** The day on a map. The list of the route says the same to those who cannot see it. */
export function MapScreen({ taskId }: { taskId: number | undefined }) {
  const say = useSay()
  const { tasks, day } = useDay()
  const { next, rest, done } = listTasks(tasks, useNow(), day.user.company.timezone)
  const open = next ? [next, ...rest] : rest
  const { spots, unplaced } = spotsOf(open, numberStops(open))
  const chosen = spots.find(({ stops }) => stops.some(({ task }) => task.id === taskId))
  const ended = done.flatMap((task) => {
    const point = pointOf(task)
    return point ? { id: task.id, statusId: task.statusId, point } : []
  })
  const { Drawn, trouble } = useDrawn()
  const sheet = chosen && <ChosenSpot spot={chosen} onClose={() => goInstead(screens.map)} />
  return (
    <Screen
      head={<DutyRow title={say('map')} done={done.length} all={done.length + open.length} />}
      foot={<Tabs chosen="map" />}
      isFixed
    >
      <div className="absolute inset-0 flex flex-col">
        <p className="sr-only">{say('mapIsList')}</p>
        {Drawn ? (
          <Drawn
            spots={spots}
            through={placesOnWay(open)}
            ended={ended}
            chosen={chosen}
            next={next}
            onChoose={({ stops: [first] }) => first && goInstead(screens.onMap(first.task.id))}
          >
            {sheet}
          </Drawn>
        ) : (
          <div className="flex flex-1 flex-col justify-between p-3">
            {trouble ? <Instead>{say(trouble)}</Instead> : <p className="m-auto text-ink-soft">{say('loading')}</p>}
            {sheet}
          </div>
        )}
        {unplaced > 0 && (
          <a
            href={screens.route}
            className="flex min-h-12 shrink-0 items-center gap-2 border-line border-t bg-waiting-soft px-4 font-semibold text-waiting"
          >
            <MapPinOff aria-hidden className="size-5 shrink-0" />
            {say('unplaced', { n: unplaced })}
          </a>
        )}
      </div>
    </Screen>
  )
}

const Instead = ({ children }: { children: ReactNode }) => (
  <Card role="status" className="p-4 text-large">
    {children}
  </Card>
)

type Drawn = typeof import('./drawn-map.tsx')['DrawnMap']

/** The part that draws: as large as the rest of the app, so it is loaded when the map is opened. */
async function loadDrawn(): Promise<Drawn> {
  const { DrawnMap, adoptThread } = await import('./drawn-map.tsx')
  await adoptThread()
  return DrawnMap
}
let loading: Promise<Drawn> | undefined

function useDrawn() {
  const [found, setFound] = useState<{ Drawn?: Drawn; trouble?: 'mapMissing' | 'mapCannot' }>({})
  useEffect(() => {
    let isGone = false
    const load = async () => {
      if (!canDraw()) return setFound({ trouble: 'mapCannot' })
      loading ??= loadDrawn()
      try {
        const Drawn = await loading
        if (!isGone) setFound({ Drawn })
      } catch {
        loading = undefined
        if (!isGone) setFound({ trouble: 'mapMissing' })
      }
    }
    void load()
    window.addEventListener('online', load)
    return () => {
      isGone = true
      window.removeEventListener('online', load)
    }
  }, [])
  return found
}
