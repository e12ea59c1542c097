import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Task } from '../../api/data.ts'
import { useFormats } from '../../api/time.ts'
import { useSay } from '../../words/console.ts'
import type { Route, RouteStop } from './route.ts'
import { StopLine } from './stop-line.tsx'

/** The current order and the new one side by side, with moved tasks marked. */
export function RouteCompare({ route, tasks }: { route: Route; tasks: Task[] }) {
  const say = useSay()
  const { time } = useFormats()
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const before = route.stops.toSorted((one, other) => one.positionBefore - other.positionBefore)
  return (
    <div className="grid gap-4 md:grid-cols-[2fr_3fr]">
      <Column title={say('orderNow')}>
        {before.map((stop) => (
          <Row key={stop.taskId} number={stop.stopBefore} stop={stop} task={byId.get(stop.taskId)} />
        ))}
      </Column>
      <Column title={say('orderAfter')}>
        {route.stops.map((stop) => (
          <Row key={stop.taskId} number={stop.stop} stop={stop} task={byId.get(stop.taskId)}>
            <LateMark seconds={stop.lateSeconds} />
            <Moved stop={stop} />
            <span className="numbers w-10 text-right">{time(stop.arrivalTime)}</span>
          </Row>
        ))}
      </Column>
    </div>
  )
}

const Column = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="min-w-0">
    <h3 className="pb-1 font-medium text-ink-faint text-xs">{title}</h3>
    <ol className="rounded-lg border border-line">{children}</ol>
  </section>
)

interface RowProps {
  /** Of its stop: tasks at one door share it. */
  number: number
  stop: RouteStop
  task: Task | undefined
  children?: ReactNode
}
function Row({ number, stop, task, children }: RowProps) {
  const hasMoved = stop.stop !== stop.stopBefore
  return (
    <li
      className={`flex min-h-8 items-center gap-2 border-line border-b px-2 py-1 last:border-0 ${hasMoved && children ? 'bg-chosen' : ''}`}
    >
      <span className="numbers w-5 shrink-0 text-right text-ink-faint">{number}</span>
      <StopLine task={task} awb={stop.awb}>
        {children}
      </StopLine>
    </li>
  )
}

export function LateMark({ seconds }: { seconds: number }) {
  const say = useSay()
  const { duration } = useFormats()
  if (seconds <= 0) return null
  return (
    <span className="numbers shrink-0 rounded bg-bad-soft px-1.5 font-medium text-bad text-xs">
      {say('lateBy', { time: duration(Math.max(60, seconds)) })}
    </span>
  )
}

/** By how many stops, and in which direction. */
export function Moved({ stop: { stop, stopBefore } }: { stop: Pick<RouteStop, 'stop' | 'stopBefore'> }) {
  const say = useSay()
  const n = stopBefore - stop
  const Icon = n > 0 ? ArrowUp : ArrowDown
  const words = n === 0 ? say('unchanged') : say(n > 0 ? 'movedUp' : 'movedDown', { n: Math.abs(n) })
  return (
    <span role="img" aria-label={words} title={words} className="numbers flex w-9 shrink-0 items-center text-ink-soft">
      {n !== 0 && (
        <>
          <Icon aria-hidden className="size-3.5" />
          {Math.abs(n)}
        </>
      )}
    </span>
  )
}
