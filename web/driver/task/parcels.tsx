import { Check, ChevronRight, MapPin, Navigation, PackageCheck } from 'lucide-react'
import { useEffect } from 'react'
import type { ShownTask } from '../../../phone/state.ts'
import { shortAddress } from '../../tasks/address.ts'
import { StatusBadge } from '../../tasks/status.tsx'
import { useSay } from '../../words/driver.ts'
import { useBegin } from '../looks/begin.tsx'
import { useDay, useDriverFormats } from '../looks/day.ts'
import { NotAccepted } from '../looks/not-accepted.tsx'
import { nextAt, totalLeft, useParcels } from '../looks/parcels.ts'
import { Bar, BigButton, Card, Foot, Screen } from '../looks/parts.tsx'
import { go, goInstead, screens } from '../looks/screen.ts'
import { SyncStatus } from '../looks/sync-status.tsx'
import { UndoBar } from '../looks/undo-bar.tsx'
import { phone } from '../outbox/phone.ts'
import { CompleteStop } from './complete-stop.tsx'
import { usePhotosGoAfter } from './photos.tsx'
import { TaskScreens } from './task.tsx'

interface Props {
  taskId: number
  step: string | undefined
}

/** A stop of several parcels. What is left of it with one is opened as that task. */
export function ParcelScreens({ taskId, step }: Props) {
  const parcels = useParcels(taskId)
  const [only, ...more] = parcels
  const { held } = useDay()
  const isHeld = held?.taskIds.includes(taskId)
  usePhotosGoAfter()
  useEffect(() => {
    if (only && more.length === 0 && !isHeld) goInstead(screens.task(only.id))
  }, [only, more.length, isHeld])
  if (!only) return <TaskScreens taskId={taskId} step={undefined} />
  return step === 'complete' ? <CompleteStop parcels={parcels} /> : <Parcels parcels={parcels} task={only} />
}

const moves = {
  accept: { word: 'acceptTask', Icon: Check },
  start: { word: 'startTask', Icon: Navigation },
  arrive: { word: 'arriveTask', Icon: MapPin },
  complete: { word: 'completeTogether', Icon: PackageCheck },
} as const

/** All parcels of one stop: begun and reached together, then ended together or one by one. */
function Parcels({ parcels, task }: { parcels: ShownTask[]; task: ShownTask }) {
  const say = useSay()
  const formats = useDriverFormats()
  const { settings } = useDay().day
  const next = nextAt(parcels, settings)
  const { begin, question } = useBegin(next?.tasks ?? [])
  const left = totalLeft(parcels)
  const run = () => {
    if (!next) return
    if (next.move === 'accept' || next.move === 'start') return begin(next.move)
    if (next.move === 'arrive') return void phone.keepDone(next.tasks.map(({ id }) => ({ type: 'arrive', taskId: id })))
    return go(screens.completeStop(task.id))
  }
  const shown = next && next.move !== 'fail' ? moves[next.move] : undefined
  return (
    <Screen
      head={<Bar title={say('parcelCount', { n: parcels.length })} back={screens.route} line={<SyncStatus inBar />} />}
      foot={
        <Foot>
          <UndoBar />
          {next?.move === 'complete' && <p className="mb-2 text-ink-soft">{say('oneByOne')}</p>}
          {shown && (
            <BigButton key={next?.move} Icon={shown.Icon} onClick={run}>
              {say(shown.word)}
            </BigButton>
          )}
          {question}
        </Foot>
      }
    >
      <section className="border-line border-b bg-surface p-4">
        <h2 className="font-bold text-head leading-tight">{shortAddress(task)}</h2>
        <p className="text-large">
          {[task.address.addressSecondLine, task.address.area ?? task.address.city].filter(Boolean).join(' · ')}
        </p>
        {left > 0 && (
          <p className="numbers flex flex-wrap justify-between gap-x-3 text-large">
            <span>{say('totalToCollect')}</span>
            <span className="font-bold text-waiting">{formats.money(left)}</span>
          </p>
        )}
      </section>
      <div className="p-3">
        <Card>
          <ul>
            {parcels.map((parcel) => (
              <Parcel key={parcel.id} parcel={parcel} />
            ))}
          </ul>
        </Card>
      </div>
    </Screen>
  )
}

function Parcel({ parcel }: { parcel: ShownTask }) {
  const formats = useDriverFormats()
  return (
    <li className="border-line not-first:border-t">
      <a href={screens.task(parcel.id)} className="flex min-h-16 items-center gap-3 p-3">
        <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="min-w-0 flex-1 basis-[8rem]">
            <span className="block font-semibold text-large leading-tight">{parcel.awb}</span>
            <span className="block text-ink-soft">{parcel.customer?.name}</span>
            <NotAccepted refused={parcel.refused} />
          </span>
          {parcel.leftToBePaid ? (
            <span className="numbers font-semibold text-waiting">{formats.money(parcel.leftToBePaid)}</span>
          ) : null}
          <StatusBadge statusId={parcel.statusId} />
        </span>
        <ChevronRight aria-hidden className="size-5 shrink-0" />
      </a>
    </li>
  )
}
