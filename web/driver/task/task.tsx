import {
  Banknote,
  Camera,
  Check,
  ClipboardList,
  type LucideIcon,
  MapPin,
  MapPinned,
  Navigation,
  PackageCheck,
  ScanBarcode,
  Signature,
  Undo2,
  X,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { nextMove } from '../../../core/driver/rules.ts'
import { isEnded } from '../../../core/task-status.ts'
import type { Begun } from '../../../phone/kept.ts'
import { taskIdOf } from '../../../phone/refused.ts'
import type { ShownTask } from '../../../phone/state.ts'
import { stopOf } from '../../../phone/stop.ts'
import { shortAddress } from '../../tasks/address.ts'
import { StatusBadge } from '../../tasks/status.tsx'
import { join } from '../../ui/class-names.ts'
import { useSay, type Word } from '../../words/driver.ts'
import { useBegin } from '../looks/begin.tsx'
import { CallOffice } from '../looks/call-office.tsx'
import { useDay, useDriverFormats } from '../looks/day.ts'
import { useIsLow } from '../looks/low.ts'
import { NotAccepted } from '../looks/not-accepted.tsx'
import { Bar, BigButton, Card, Foot, plainButton, Screen, Tag } from '../looks/parts.tsx'
import { go, screens } from '../looks/screen.ts'
import { SyncStatus } from '../looks/sync-status.tsx'
import { UndoBar } from '../looks/undo-bar.tsx'
import { phone } from '../outbox/phone.ts'
import { CompleteScreen } from './complete.tsx'
import { Contact } from './contact.tsx'
import { DoneHere } from './done-here.tsx'
import { useDraft } from './draft.ts'
import { FailScreen } from './fail.tsx'
import { AddNote, Notes } from './notes.tsx'
import { obstacleIn } from './obstacle.ts'
import { ShowNews, useOfficeNews } from './office-news.tsx'
import { usePhotosGoAfter } from './photos.tsx'
import { ScanSheet } from './scan.tsx'
import { isMissing, type Step, type StepName, stepsOf } from './steps.ts'

export const stepLooks: Record<StepName, { word: Word; get: Word; Icon: LucideIcon }> = {
  scan: { word: 'didScan', get: 'scanParcel', Icon: ScanBarcode },
  photo: { word: 'didPhoto', get: 'takePhoto', Icon: Camera },
  signature: { word: 'didSignature', get: 'getSignature', Icon: Signature },
  payment: { word: 'didPayment', get: 'takePayment', Icon: Banknote },
  form: { word: 'didForm', get: 'fillForm', Icon: ClipboardList },
}

interface Props {
  taskId: number
  step: string | undefined
}

export function TaskScreens({ taskId, step }: Props) {
  const say = useSay()
  const { tasks, refused, held } = useDay()
  const task = tasks.find(({ id }) => id === taskId)
  // Who goes on to another stop is done with the one before.
  const isElsewhere = held !== undefined && !held.taskIds.includes(taskId)
  useEffect(() => {
    if (isElsewhere) void phone.releaseEnds().then(phone.wake)
  }, [isElsewhere])
  usePhotosGoAfter()
  if (!task)
    return (
      <Screen head={<Bar title={say('taskNotYours')} back={screens.route} line={<SyncStatus inBar />} />}>
        <div className="flex flex-col gap-3 p-4 text-large">
          <p>{say('taskNotYoursLead')}</p>
          <NotAccepted refused={refused.filter((entry) => taskIdOf(entry) === taskId)} isFull />
        </div>
      </Screen>
    )
  if (step === 'complete' && !isEnded(task)) return <CompleteScreen task={task} />
  if (step === 'fail' && !isEnded(task)) return <FailScreen task={task} />
  return <StopScreen key={task.id} task={task} />
}

/** One stop: where, who, what the office says, what is to be done at the door. */
function StopScreen({ task }: { task: ShownTask }) {
  const say = useSay()
  const { tasks, day, session } = useDay()
  const formats = useDriverFormats()
  const [draft] = useDraft(task.id)
  const [scans, setScans] = useState(false)
  // A mark that went away while it is read would not be one.
  const [isNew] = useState(task.isNew)
  useEffect(() => void phone.noteSeen(task.id), [task.id])
  const { shown, show } = useOfficeNews(task, session.driverId)
  const steps = stepsOf(task, day, draft)
  const open = tasks.filter((one) => !isEnded(one))
  const place = open.findIndex(({ id }) => id === task.id) + 1
  const { address } = task
  const window = formats.window(task.completeAfter, task.completeBefore)
  const rest = [address.addressSecondLine, address.area ?? address.city].filter(Boolean).join(' · ')
  const take = (step: StepName) => (step === 'scan' ? setScans(true) : go(`${screens.complete(task.id)}/${step}`))
  return (
    <Screen
      head={
        <Bar
          title={place > 0 ? say('stopOf', { n: place, all: open.length }) : task.awb}
          back={screens.route}
          line={<SyncStatus inBar />}
          side={<StatusBadge statusId={task.statusId} />}
        />
      }
      foot={<NextStep task={task} steps={steps} onTake={take} news={<ShowNews onShow={show} />} />}
    >
      <section className="border-line border-b bg-surface p-4">
        <div className="flex items-start gap-2">
          <h2 className="min-w-0 flex-1 font-bold text-head leading-tight">{shortAddress(task)}</h2>
          {isNew && <Tag className="mt-1 bg-given-soft text-given">{say('newMark')}</Tag>}
          {address.lat !== null && (
            <a
              href={screens.onMap(task.id)}
              aria-label={say('onMap')}
              className="-mt-2 -mr-2 grid size-12 shrink-0 place-items-center text-given"
            >
              <MapPinned aria-hidden className="size-6" />
            </a>
          )}
        </div>
        {rest && <p className="text-large">{rest}</p>}
        <p className="text-large">{[task.customer?.name, task.awb].filter(Boolean).join(' · ')}</p>
        <p className="numbers flex flex-wrap justify-between gap-x-3 text-ink-soft">
          <span>{window ? `${say('windowShort')} ${window}` : say('noWindow')}</span>
          {task.arrivalTime && (
            <span className="inline-flex items-center gap-1 font-semibold text-good">
              <Check aria-hidden className="size-5" />
              {say('arrivedTime', { time: formats.time(task.arrivalTime) })}
            </span>
          )}
        </p>
        {isEnded(task) && task.completedAt && (
          <p className="numbers font-semibold">
            {formats.time(task.completedAt)}
            {task.cancelReason && ` · ${task.cancelReason}`}
          </p>
        )}
        {!isEnded(task) && <Contact task={task} />}
        {task.begun && !isEnded(task) && <TakeBack task={task} begun={task.begun} />}
      </section>
      <div className="flex flex-col gap-2.5 p-3">
        {task.refused.length > 0 && (
          <Card className="flex flex-col gap-2 p-4 text-large">
            <NotAccepted refused={task.refused} isFull />
          </Card>
        )}
        {task.dependencies.map(({ awb, statusId }) => (
          <p key={awb} className="flex items-center justify-between gap-2 px-1">
            <span>{say('comesAfter', { awb })}</span>
            <StatusBadge statusId={statusId} />
          </p>
        ))}
        <div id="office-says" className="flex flex-col gap-2.5 empty:hidden">
          <Notes task={shown} />
        </div>
        {!isEnded(task) && steps.length > 0 && <Steps steps={steps} task={task} onTake={take} />}
        {isEnded(task) && <DoneHere task={task} />}
        <AddNote taskId={task.id} />
        <CallOffice />
      </div>
      {scans && <ScanSheet task={task} onClose={() => setScans(false)} />}
    </Screen>
  )
}

/** As long as nothing has followed, a start or an arrival by mistake is taken back here, away from the big button. */
function TakeBack({ task, begun }: { task: ShownTask; begun: Begun }) {
  const say = useSay()
  return (
    <button
      type="button"
      className={join(plainButton, 'mt-2')}
      onClick={() => void phone.keepDone([{ type: 'takeBack', taskId: task.id, of: begun.opId }])}
    >
      <Undo2 aria-hidden className="size-5" />
      {say(begun.type === 'start' ? 'undoStart' : 'undoArrival')}
    </button>
  )
}

interface StepsProps {
  steps: Step[]
  task: ShownTask
  onTake: (step: StepName) => void
}

/** The steps at the door; a row can be tapped in any order. */
function Steps({ steps, task, onTake }: StepsProps) {
  const say = useSay()
  const formats = useDriverFormats()
  const next = steps.find(isMissing)
  const done = steps.filter(({ isDone }) => isDone)
  // On a low screen what is done leaves its place to what is not.
  const folds = useIsLow() && done.length > 0
  const detailOf = ({ name, isDone, isRequired, count }: Step) => {
    const state = isDone ? '' : say(isRequired ? 'stepMissing' : 'stepOptional')
    if (name === 'photo' && count > 0) return say('photoCount', { n: count })
    if (name === 'payment' && task.leftToBePaid)
      return [formats.money(task.leftToBePaid), state].filter(Boolean).join(' ')
    return isDone ? say('stepDone') : state
  }
  return (
    <Card aria-labelledby="at-the-door">
      <div className="flex justify-between px-4 py-2.5">
        <h2 id="at-the-door" className="font-semibold">
          {say('atTheDoor')}
        </h2>
        <span className="numbers font-semibold">{say('doneOf', { done: done.length, all: steps.length })}</span>
      </div>
      <ul>
        {folds && (
          <li className="flex min-h-13 items-center gap-3 border-line border-t px-4">
            <span className="grid size-7 shrink-0 place-items-center rounded-full bg-good text-surface">
              <Check aria-hidden className="size-4.5" />
            </span>
            <span className="text-large">{done.map(({ name }) => say(stepLooks[name].word)).join(', ')}</span>
          </li>
        )}
        {(folds ? steps.filter(({ isDone }) => !isDone) : steps).map((step) => {
          const { Icon, word } = stepLooks[step.name]
          return (
            <li key={step.name} className="group border-line border-t">
              <button
                type="button"
                onClick={() => onTake(step.name)}
                className={join(
                  'flex min-h-13 w-full flex-wrap items-center justify-end gap-x-3 px-4 py-1.5 text-left group-last:rounded-b-2xl',
                  step === next && 'bg-chosen',
                )}
              >
                <span className="flex flex-1 items-center gap-3">
                  <span
                    className={join(
                      'grid size-7 shrink-0 place-items-center rounded-full border-2',
                      step.isDone
                        ? 'border-good bg-good text-surface'
                        : step === next
                          ? 'border-given'
                          : 'border-line-strong',
                    )}
                  >
                    {step.isDone && <Check aria-hidden className="size-4.5" />}
                  </span>
                  <Icon aria-hidden className="size-5.5 shrink-0" />
                  <span className="flex-1 text-large">{say(word)}</span>
                </span>
                <span className={join('numbers', isMissing(step) ? 'font-semibold text-waiting' : 'text-ink-soft')}>
                  {detailOf(step)}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

const moveLooks = {
  accept: { word: 'acceptTask', Icon: Check },
  start: { word: 'startTask', Icon: Navigation },
  arrive: { word: 'arriveTask', Icon: MapPin },
} as const

/** The one button: always the next thing to do, by its name. */
function NextStep({ task, steps, onTake, news }: StepsProps & { news: ReactNode }) {
  const say = useSay()
  const { day, held } = useDay()
  const { settings } = day
  const { begin, question } = useBegin([task])
  if (isEnded(task)) return held?.taskIds.includes(task.id) ? <UndoBar /> : null
  const { move, obstacle } = nextMove(stopOf(task), settings)
  const missing = steps.find(isMissing)
  const button = () => {
    if (obstacle) return <p className="flex-1 self-center font-semibold text-waiting">{obstacleIn(obstacle, say)}</p>
    if (move === 'accept' || move === 'start' || move === 'arrive') {
      const { word, Icon } = moveLooks[move]
      const run = () => (move === 'arrive' ? void phone.keepDone([{ type: move, taskId: task.id }]) : begin(move))
      return (
        <BigButton key={move} Icon={Icon} onClick={run}>
          {say(word)}
        </BigButton>
      )
    }
    if (missing)
      return (
        <BigButton key={missing.name} Icon={stepLooks[missing.name].Icon} onClick={() => onTake(missing.name)}>
          {say(stepLooks[missing.name].get)}
        </BigButton>
      )
    return (
      <BigButton key="complete" Icon={PackageCheck} onClick={() => go(screens.complete(task.id))}>
        {say('completeTask')}
      </BigButton>
    )
  }
  return (
    <Foot>
      {news}
      <div className="flex flex-wrap gap-2">
        {settings.allowDriverToCancelTask && (
          <a
            href={screens.fail(task.id)}
            className="flex min-h-15 min-w-21 flex-col items-center justify-center rounded-xl border border-line-strong bg-surface px-2 font-semibold text-small text-bad"
          >
            <X aria-hidden className="size-5.5" />
            {say('failTask')}
          </a>
        )}
        <div className="flex flex-1">{button()}</div>
      </div>
      {question}
    </Foot>
  )
}
