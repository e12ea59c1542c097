import { Check, MapPin, Navigation } from 'lucide-react'
import { useEffect } from 'react'
import { Assigned, InTransit } from '../../../core/task-status.ts'
import { shortAddress } from '../../tasks/address.ts'
import { StatusBadge } from '../../tasks/status.tsx'
import { useSay } from '../../words/words.ts'
import { useDay, useDriverFormats } from '../looks/day.ts'
import { HonestLine } from '../looks/honest-line.tsx'
import { Bar, BigButton, Foot, Screen } from '../looks/parts.tsx'
import { goInstead, screens } from '../looks/screen.ts'
import { findObstacle } from '../outbox/ahead.ts'
import { keepDone, noteSeen } from '../outbox/keep.ts'
import type { ShownTask } from '../outbox/state.ts'

export function TaskScreens({ taskId }: { taskId: number; step: string | undefined }) {
  const say = useSay()
  const task = useDay().tasks.find(({ id }) => id === taskId)
  return task ? (
    <TaskScreen task={task} />
  ) : (
    <Screen head={<Bar title={say('taskNotYours')} back={screens.route} line={<HonestLine inBar />} />}>
      <p className="p-4 text-[17px]">{say('taskNotYours')}</p>
    </Screen>
  )
}

function TaskScreen({ task }: { task: ShownTask }) {
  const formats = useDriverFormats()
  useEffect(() => void noteSeen(task.id), [task.id])
  return (
    <Screen
      head={
        <Bar
          title={task.awb}
          back={screens.route}
          line={<HonestLine inBar />}
          side={<StatusBadge statusId={task.statusId} />}
        />
      }
      foot={<NextStep task={task} />}
    >
      <section className="border-line border-b bg-surface p-4">
        <h2 className="font-bold text-[24px] leading-tight">{shortAddress(task)}</h2>
        <p className="text-[17px]">{task.customer?.name}</p>
        <p className="numbers text-ink-soft">{formats.window(task.completeAfter, task.completeBefore)}</p>
      </section>
    </Screen>
  )
}

/** The one button: what comes next for this task. */
function NextStep({ task }: { task: ShownTask }) {
  const say = useSay()
  const { settings } = useDay().day
  const does = (type: 'accept' | 'start' | 'arrive') => () => void keepDone([{ type, taskId: task.id }])
  const complete = async () => {
    await keepDone([{ type: 'complete', taskId: task.id }])
    goInstead(screens.route)
  }
  const obstacle = findObstacle(task)
  if (task.statusId === Assigned && obstacle)
    return <Foot>{<p className="font-semibold text-waiting">{say('blockedBy', { awb: obstacle.awb })}</p>}</Foot>
  if (task.statusId === Assigned && !task.acceptedAt && !settings.driverAutoAcceptOrders)
    return (
      <Foot>
        <BigButton Icon={Check} onClick={does('accept')}>
          {say('acceptTask')}
        </BigButton>
      </Foot>
    )
  if (task.statusId === Assigned)
    return (
      <Foot>
        <BigButton Icon={Navigation} onClick={does('start')}>
          {say('startTask')}
        </BigButton>
      </Foot>
    )
  if (task.statusId !== InTransit) return null
  return (
    <Foot>
      {task.arrivalTime ? (
        <BigButton Icon={Check} onClick={() => void complete()}>
          {say('completeTask')}
        </BigButton>
      ) : (
        <BigButton Icon={MapPin} onClick={does('arrive')}>
          {say('arriveTask')}
        </BigButton>
      )}
    </Foot>
  )
}
