import { Check, CircleX, Navigation } from 'lucide-react'
import { expectedAt, lateSeconds } from '../../../core/arrival.ts'
import { nextMove } from '../../../core/driver/rules.ts'
import { stopsOf } from '../../../core/stop.ts'
import { Succeeded } from '../../../core/task-status.ts'
import type { ShownTask } from '../../../phone/state.ts'
import { stopOf } from '../../../phone/stop.ts'
import { shortAddress } from '../../tasks/address.ts'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/driver.ts'
import { Intro } from '../intro/intro.tsx'
import { useBegin } from '../looks/begin.tsx'
import { useDay, useDriverFormats, useNow } from '../looks/day.ts'
import { DutyRow } from '../looks/duty-row.tsx'
import { NotAccepted } from '../looks/not-accepted.tsx'
import { nextAt, totalLeft } from '../looks/parcels.ts'
import { BigButton, Card, plainButton, Screen } from '../looks/parts.tsx'
import { go, screens } from '../looks/screen.ts'
import { Tabs } from '../looks/tabs.tsx'
import { UndoBar } from '../looks/undo-bar.tsx'
import { phone } from '../outbox/phone.ts'
import { PositionOnRoute, useAsksForPosition } from '../positions/cards.tsx'
import { PushOnRoute } from '../push/push.tsx'
import { Late, NewTag, StopFacts, StopNumber } from './facts.tsx'
import { FindStop } from './find-stop.tsx'
import { linesOf } from './lines.ts'
import { listTasks } from './list.ts'
import { LoadLink } from './load-link.tsx'

export function RouteScreen() {
  const say = useSay()
  const { tasks, taken, day } = useDay()
  const formats = useDriverFormats()
  const now = useNow()
  const { next, rest, later, done } = listTasks(tasks, now, day.user.company.timezone)
  // One question at a time.
  const asksForPosition = useAsksForPosition()
  const unsent = done.filter(({ isWaiting }) => isWaiting)
  const sent = done.filter(({ isWaiting }) => !isWaiting)
  const [first, ...then] = stopsOf(next ? [next, ...rest] : rest, ({ address }) => address)
  const last = [...rest].reverse().map(expectedAt).find(Boolean)
  const all = done.length + rest.length + (next ? 1 : 0)
  return (
    <Screen
      head={<DutyRow title={say('tabRoute')} done={done.length} all={all} />}
      foot={
        <>
          <UndoBar />
          <Tabs chosen="route" />
        </>
      }
      keepsScroll="route"
    >
      <div className="flex flex-col gap-2.5 p-3">
        <Intro>
          {asksForPosition || <PushOnRoute />}
          <PositionOnRoute />
        </Intro>
        {first ? <NextStop parcels={first} /> : <NoStops isDone={done.length > 0} />}
        <FindStop />
        <LoadLink />
        {unsent.map((task) => (
          <DoneRow key={task.id} task={task} />
        ))}
        {(then.length > 0 || taken.length > 0) && (
          <section aria-labelledby="then" className="flex flex-col gap-1.5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-2 px-1 pt-1 text-ink-soft">
              <h2 id="then" className="font-semibold">
                {say('thenMore', { n: then.length })}
              </h2>
              {last && <span className="font-semibold">{say('lastOneAt', { time: formats.time(last) })}</span>}
            </div>
            <ul className="overflow-hidden rounded-2xl border border-line bg-surface">
              {taken.map(({ task, at, refused }) => (
                <li
                  key={task.id}
                  className="flex flex-wrap items-center justify-end gap-3 border-line bg-bad-soft p-3 not-first:border-t"
                >
                  <div className="flex min-w-0 flex-1 basis-[10rem] items-center gap-3">
                    <CircleX aria-hidden className="size-7 shrink-0 text-bad" />
                    <div className="min-w-0 flex-1">
                      <s className="block font-semibold text-large">{shortAddress(task)}</s>
                      <span className="font-semibold text-bad">
                        {say('officeTookBack', { time: formats.time(at) })}
                      </span>
                      <NotAccepted refused={refused} isFull />
                    </div>
                  </div>
                  <button
                    type="button"
                    className={plainButton}
                    onClick={() => void phone.dismissTaken(task.id, refused)}
                  >
                    {say('gotIt')}
                  </button>
                </li>
              ))}
              {then.map((parcels, index) => (
                <StopRow key={parcels[0]?.id} parcels={parcels} number={index + 2} />
              ))}
            </ul>
          </section>
        )}
        {later.length > 0 && (
          <section aria-labelledby="later" className="flex flex-col gap-1.5">
            <h2 id="later" className="px-1 pt-1 font-semibold text-ink-soft">
              {say('laterDays')}
            </h2>
            <ul className="overflow-hidden rounded-2xl border border-line bg-surface">
              {later.map((task) => (
                <StopRow key={task.id} parcels={[task]} />
              ))}
            </ul>
          </section>
        )}
        {sent.length > 0 && (
          <section aria-labelledby="done" className="flex flex-col gap-1.5">
            <h2 id="done" className="px-1 pt-1 font-semibold text-ink-soft">
              {say('doneToday')}
            </h2>
            {sent.map((task) => (
              <DoneRow key={task.id} task={task} />
            ))}
          </section>
        )}
      </div>
    </Screen>
  )
}

function NoStops({ isDone }: { isDone: boolean }) {
  const say = useSay()
  return (
    <Card className="p-5 text-center">
      <p className="font-bold text-title">{say(isDone ? 'allStopsDone' : 'noStopsToday')}</p>
      <p className="mt-1 text-ink-soft">{say(isDone ? 'stopsDoneLead' : 'noStopsLead')}</p>
    </Card>
  )
}

/** Where a stop is opened: its only task, or all its parcels. */
const screenOf = ([task, ...more]: readonly ShownTask[]) =>
  (more.length > 0 ? screens.stop : screens.task)(task?.id ?? 0)

function NextStop({ parcels }: { parcels: ShownTask[] }) {
  const say = useSay()
  const { settings } = useDay().day
  const next = nextAt(parcels, settings)
  const { begin, question } = useBegin(next?.tasks ?? [], () => go(screenOf(parcels)))
  const begins = (next?.move === 'accept' || next?.move === 'start') && next.move
  const [task] = parcels
  if (!task) return null
  const { obstacle } = nextMove(stopOf(task), settings)
  const refused = parcels.flatMap((one) => one.refused)
  return (
    <Card aria-label={say('yourNextStop')} className="p-4 shadow-raised">
      <div className="flex flex-wrap items-center gap-x-3">
        <StopNumber>{1}</StopNumber>
        <span className="flex-1 font-semibold text-ink-soft">{say('yourNextStop')}</span>
        {parcels.some(({ isNew }) => isNew) && <NewTag />}
        <span className="text-ink-soft">
          {parcels.length > 1 ? say('parcelCount', { n: parcels.length }) : task.awb}
        </span>
      </div>
      <a href={screenOf(parcels)} className="mt-2 block min-h-12">
        <span className="block font-bold text-head leading-tight">{shortAddress(task)}</span>
        <span className="block text-ink-soft">
          {[task.address.area ?? task.address.city, ...namesOf(parcels)].filter(Boolean).join(' · ')}
        </span>
        {parcels.length > 1 && <span className="block text-ink-soft">{awbsOf(parcels)}</span>}
      </a>
      <StopFacts task={task} left={totalLeft(parcels)} />
      <NotAccepted refused={refused} />
      {!next && obstacle?.code === 'DEPENDENCY_OPEN' && (
        <p className="mt-2 font-semibold text-waiting">{say('blockedBy', { awb: obstacle.awb })}</p>
      )}
      <div className="mt-3">
        {begins ? (
          <BigButton Icon={begins === 'accept' ? Check : Navigation} onClick={() => begin(begins)}>
            {say(begins === 'accept' ? 'acceptTask' : 'startTask')}
          </BigButton>
        ) : (
          <BigButton Icon={Navigation} onClick={() => go(screenOf(parcels))}>
            {say('openStop')}
          </BigButton>
        )}
      </div>
      {question}
    </Card>
  )
}

const awbsOf = (parcels: readonly ShownTask[]) => parcels.map(({ awb }) => awb).join(', ')
const namesOf = (parcels: readonly ShownTask[]) => [...new Set(parcels.map(({ customer }) => customer?.name))]

function StopRow({ parcels, number }: { parcels: readonly ShownTask[]; number?: number | undefined }) {
  const [task] = parcels
  return task ? <OneRow task={task} parcels={parcels} number={number} /> : null
}

interface RowProps {
  task: ShownTask
  parcels: readonly ShownTask[]
  number: number | undefined
}

function OneRow({ task, parcels, number }: RowProps) {
  const say = useSay()
  const { day } = useDay()
  const formats = useDriverFormats()
  const now = useNow()
  const [title, ...lines] = linesOf(task, day.settings, formats)
  const more = parcels.length > 1 ? [say('parcelCount', { n: parcels.length }), awbsOf(parcels)] : lines
  const late = Math.max(...parcels.map((one) => lateSeconds(one, now)))
  const left = totalLeft(parcels)
  const arrival = expectedAt(task)
  return (
    <li className="border-line not-first:border-t">
      <a href={screenOf(parcels)} className="flex min-h-17 flex-wrap items-center justify-end gap-x-3 p-3">
        <span className="flex min-w-0 flex-1 basis-[10rem] items-center gap-3">
          {number !== undefined && <StopNumber>{number}</StopNumber>}
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-2">
              <span className="min-w-0 font-semibold text-large leading-tight">{title}</span>
              {parcels.some(({ isNew }) => isNew) && <NewTag />}
            </span>
            <span className="flex flex-wrap items-center gap-x-1.5 text-ink-soft">
              {more.map((line, at) => (
                <span key={line} className="numbers max-w-full">
                  {line}
                  {at < more.length - 1 && ' ·'}
                </span>
              ))}
              {late > 0 && <Late seconds={late} />}
            </span>
            <NotAccepted refused={parcels.flatMap((one) => one.refused)} />
          </span>
        </span>
        <span className="numbers shrink-0 text-right font-semibold">
          {arrival && <span className="block text-large">{formats.time(arrival)}</span>}
          {left > 0 && <span className="block text-small text-waiting">{formats.money(left)}</span>}
        </span>
      </a>
    </li>
  )
}

/** What is done: green or red, and whether the office knows. */
function DoneRow({ task }: { task: ShownTask }) {
  const say = useSay()
  const formats = useDriverFormats()
  const hasSucceeded = task.statusId === Succeeded
  const Icon = hasSucceeded ? Check : CircleX
  const time = task.completedAt ? formats.time(task.completedAt) : ''
  return (
    <Card>
      <a href={screens.task(task.id)} className="flex min-h-16 items-center gap-3 p-3">
        <span
          className={join(
            'grid size-8 shrink-0 place-items-center rounded-full text-surface',
            hasSucceeded ? 'bg-good' : 'bg-bad',
          )}
        >
          <Icon role="img" aria-label={say(hasSucceeded ? 'state9' : 'state10')} className="size-5" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-semibold text-large leading-tight">{shortAddress(task)}</span>
          <span className={join('numbers block font-semibold', task.isWaiting ? 'text-waiting' : 'text-ink-soft')}>
            {task.isWaiting ? say('doneWaits', { time }) : `${time} · ${task.awb}`}
          </span>
          <NotAccepted refused={task.refused} />
        </span>
      </a>
    </Card>
  )
}
