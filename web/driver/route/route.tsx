import { Check, CircleX, Navigation } from 'lucide-react'
import { expectedAt, lateSeconds } from '../../../core/arrival.ts'
import { nextMove } from '../../../core/driver/rules.ts'
import { numberStops } from '../../../core/stop.ts'
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
  const numbers = numberStops(next ? [next, ...rest] : rest)
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
        {next ? <NextStop task={next} /> : <NoStops isDone={done.length > 0} />}
        <FindStop />
        {unsent.map((task) => (
          <DoneRow key={task.id} task={task} />
        ))}
        {(rest.length > 0 || taken.length > 0) && (
          <section aria-labelledby="then" className="flex flex-col gap-1.5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-2 px-1 pt-1 text-ink-soft">
              <h2 id="then" className="font-semibold">
                {say('thenMore', { n: rest.length })}
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
              {rest.map((task) => (
                <StopRow key={task.id} task={task} number={numbers.get(task.id)} />
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
                <StopRow key={task.id} task={task} />
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

function NextStop({ task }: { task: ShownTask }) {
  const say = useSay()
  const { settings } = useDay().day
  const { move, obstacle } = nextMove(stopOf(task), settings)
  const { begin, question } = useBegin(task, () => go(screens.task(task.id)))
  const begins = !obstacle && (move === 'accept' || move === 'start') && move
  return (
    <Card aria-label={say('yourNextStop')} className="p-4 shadow-raised">
      <div className="flex flex-wrap items-center gap-x-3">
        <StopNumber>{1}</StopNumber>
        <span className="flex-1 font-semibold text-ink-soft">{say('yourNextStop')}</span>
        {task.isNew && <NewTag />}
        <span className="text-ink-soft">{task.awb}</span>
      </div>
      <a href={screens.task(task.id)} className="mt-2 block min-h-12">
        <span className="block font-bold text-head leading-tight">{shortAddress(task)}</span>
        <span className="block text-ink-soft">
          {[task.address.area ?? task.address.city, task.customer?.name].filter(Boolean).join(' · ')}
        </span>
      </a>
      <StopFacts task={task} />
      <NotAccepted refused={task.refused} />
      {obstacle?.code === 'DEPENDENCY_OPEN' && (
        <p className="mt-2 font-semibold text-waiting">{say('blockedBy', { awb: obstacle.awb })}</p>
      )}
      <div className="mt-3">
        {begins ? (
          <BigButton Icon={begins === 'accept' ? Check : Navigation} onClick={() => begin(begins)}>
            {say(begins === 'accept' ? 'acceptTask' : 'startTask')}
          </BigButton>
        ) : (
          <BigButton Icon={Navigation} onClick={() => go(screens.task(task.id))}>
            {say('openStop')}
          </BigButton>
        )}
      </div>
      {question}
    </Card>
  )
}

function StopRow({ task, number }: { task: ShownTask; number?: number | undefined }) {
  const { day } = useDay()
  const formats = useDriverFormats()
  const now = useNow()
  const [title, ...more] = linesOf(task, day.settings, formats)
  const late = lateSeconds(task, now)
  const arrival = expectedAt(task)
  return (
    <li className="border-line not-first:border-t">
      <a href={screens.task(task.id)} className="flex min-h-17 flex-wrap items-center justify-end gap-x-3 p-3">
        <span className="flex min-w-0 flex-1 basis-[10rem] items-center gap-3">
          {number !== undefined && <StopNumber>{number}</StopNumber>}
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-2">
              <span className="min-w-0 font-semibold text-large leading-tight">{title}</span>
              {task.isNew && <NewTag />}
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
            <NotAccepted refused={task.refused} />
          </span>
        </span>
        <span className="numbers shrink-0 text-right font-semibold">
          {arrival && <span className="block text-large">{formats.time(arrival)}</span>}
          {task.leftToBePaid ? (
            <span className="block text-small text-waiting">{formats.money(task.leftToBePaid)}</span>
          ) : null}
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
