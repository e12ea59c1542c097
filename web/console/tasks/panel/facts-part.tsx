import { Link } from '@tanstack/react-router'
import { hasArrived } from '../../../../core/arrival.ts'
import { isEnded } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { arrivalOf } from '../../../tasks/arrival.ts'
import { moneyFactOf } from '../../../tasks/left-words.ts'
import { riskOf, stopOf } from '../../../tasks/risk.ts'
import { StatusIcon } from '../../../tasks/status.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { readFilters } from '../../day/filters.ts'
import { LinkReach, useOwnAddress } from '../../day/link-reach.tsx'
import { routeOf } from '../../day/route.ts'
import { CopyButton } from './copy-button.tsx'
import { DriverPart, PhoneLink } from './driver-part.tsx'
import { Fact, Facts, Part } from './fact.tsx'
import { NearestPart } from './nearest-part.tsx'

/** Who, when and how much: what a dispatcher looks for first. */
export function FactsPart({ task }: { task: Task }) {
  const say = useSay()
  const { dateTime } = useFormats()
  return (
    <>
      <Part>
        <Facts>
          <Fact label={say('timeWindow')}>
            <Window task={task} />
          </Fact>
          <Fact label={say('driver')}>
            <DriverPart task={task} />
          </Fact>
          <Fact label={say('taskPlan')}>
            <Plan task={task} />
          </Fact>
          <Fact label={say('customer')}>{task.customer && <CustomerFact customer={task.customer} />}</Fact>
          <MoneyPart task={task} />
          <Fact label={say('startedAt')}>{task.startedAt && dateTime(task.startedAt)}</Fact>
          <Fact label={say('arrivedAt')}>{task.arrivalTime && dateTime(task.arrivalTime)}</Fact>
          <Fact label={say('completedAt')}>{task.completedAt && dateTime(task.completedAt)}</Fact>
          <Fact label={say('failureReason')}>
            {task.cancelReason && <span className="text-bad">{task.cancelReason}</span>}
          </Fact>
        </Facts>
      </Part>
      <NearestPart key={task.id} task={task} />
      <MoreFacts task={task} />
    </>
  )
}

function Window({ task }: { task: Task }) {
  const say = useSay()
  const { window, date } = useFormats()
  const { now } = useDispatch()
  const end = task.completeBefore ?? task.completeAfter
  if (!end) return say('noWindow')
  const days = [...new Set([task.completeAfter, task.completeBefore].flatMap((one) => (one ? date(one) : [])))]
  const risk = riskOf(task, now)
  return (
    <>
      {window(task.completeAfter, task.completeBefore)} <span className="text-ink-soft">{days.join(' – ')}</span>
      {risk !== 'none' && (
        <span className={risk === 'late' ? 'ml-1 text-bad' : 'ml-1 text-waiting'}>
          · {say(risk === 'late' ? (task.completedAt ? 'endedLate' : 'isLate') : 'perhapsLate')}
        </span>
      )}
    </>
  )
}

function Plan({ task }: { task: Task }) {
  const say = useSay()
  const { time, duration } = useFormats()
  const { now, all } = useDispatch()
  const stop = stopOf(task)
  const arrival = arrivalOf(task, now)
  // A partner's plan is its own; when its driver comes is known here, too.
  const isPlannedHere = task.userId !== null
  if (isEnded(task) || (!isPlannedHere && !arrival && !hasArrived(task))) return null
  if (hasArrived(task)) return say('driverThere')
  if (!arrival) return <span className="text-ink-soft">{say('noPlan')}</span>
  const { at, isBehind, lateSeconds } = arrival
  const number = task.userId && routeOf(all, task.userId).find((one) => one.task.id === task.id)?.number
  const waitSeconds = stop && Date.parse(stop.arrivalTime) === at ? stop.waitSeconds : 0
  return (
    <>
      {stop && number ? say('planStop', { n: number, time: time(at) }) : say('planAround', { time: time(at) })}
      {isBehind && <span className="text-waiting"> · {say('behindPlan')}</span>}
      {lateSeconds > 0 && <span className="text-bad"> · {say('planLate', { duration: duration(lateSeconds) })}</span>}
      {waitSeconds > 60 && (
        <span className="text-ink-soft"> · {say('planWait', { duration: duration(waitSeconds) })}</span>
      )}
    </>
  )
}

const CustomerFact = ({ customer }: { customer: NonNullable<Task['customer']> }) => (
  <>
    <span className="flex items-center gap-1">
      {customer.name || customer.phone}
      <PhoneLink phone={customer.phone} />
    </span>
    {customer.name && customer.phone && <span className="block text-ink-soft">{customer.phone}</span>}
    {customer.email && (
      <a href={`mailto:${customer.email}`} className="block text-accent underline-offset-2 hover:underline">
        {customer.email}
      </a>
    )}
  </>
)

function MoneyPart({ task }: { task: Task }) {
  const say = useSay()
  const { money } = useFormats()
  const fact = moneyFactOf(task)
  if (!fact) return null
  return (
    <Fact label={say(fact.word)}>
      <span className="font-semibold">{money(fact.amount)}</span>
      {fact.of && <span className="text-ink-soft"> {say('ofTotal', { amount: money(fact.of) })}</span>}
      <span className="text-ink-soft"> · {say(task.paymentTypeId === 2 ? 'card' : 'cash')}</span>
    </Fact>
  )
}

function MoreFacts({ task }: { task: Task }) {
  const say = useSay()
  const { money, duration, number, dateTime } = useFormats()
  const anyText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return (
    <Part title={say('details')}>
      {task.details && <p className="mb-2 whitespace-pre-line [overflow-wrap:anywhere]">{task.details}</p>}
      <Facts>
        <Fact label={say('customerNotes')}>{task.customerNotes}</Fact>
        <Fact label={say('team')}>{task.team?.name}</Fact>
        <Fact label={say('totalPrice')}>{task.totalPrice !== null && money(task.totalPrice)}</Fact>
        <Fact label={say('deliveryPrice')}>{task.deliveryPrice !== null && money(task.deliveryPrice)}</Fact>
        <Fact label={say('quantity')}>{task.quantity !== null && number(task.quantity)}</Fact>
        <Fact label={say('serviceTime')}>{task.serviceTime !== null && duration(task.serviceTime * 60)}</Fact>
        <Fact label={say('priority')}>{task.priority > 0 && number(task.priority)}</Fact>
        <Fact label={say('dependencies')}>{task.dependencies.length > 0 && <Dependencies task={task} />}</Fact>
        {task.customFields.map(({ key, value }) => (
          <Fact key={key} label={key}>
            {value !== null && value !== '' && anyText(value)}
          </Fact>
        ))}
        <Fact label={say('inventory')}>{task.inventory !== null && <Inventory value={task.inventory} />}</Fact>
        <Fact label={say('trackingPage')}>{!task.erasedAt && <TrackingLink uuid={task.uuid} />}</Fact>
        <Fact label={say('createdAt')}>{dateTime(task.createdAt)}</Fact>
      </Facts>
    </Part>
  )
}

function TrackingLink({ uuid }: { uuid: string }) {
  const say = useSay()
  const link = `${useOwnAddress()}/t/${uuid}`
  return (
    <span className="grid grid-cols-1 gap-1">
      <span className="flex items-center gap-1">
        <a
          href={`/t/${uuid}`}
          target="_blank"
          rel="noreferrer"
          className="truncate text-accent underline-offset-2 hover:underline"
        >
          {`/t/${uuid}`}
        </a>
        <CopyButton text={link} label={say('copyTrackingLink')} />
      </span>
      <LinkReach link={link} brief />
    </span>
  )
}

const Inventory = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? value : <code className="text-xs">{JSON.stringify(value, null, 1)}</code>

const Dependencies = ({ task }: { task: Task }) => (
  <ul className="grid gap-1">
    {task.dependencies.map(({ taskId, awb, statusId }) => (
      <li key={taskId}>
        <Link
          to="/"
          search={(before) => ({ ...readFilters(before), task: taskId })}
          className="inline-flex items-center gap-1.5 text-accent underline-offset-2 hover:underline"
        >
          <StatusIcon statusId={statusId} />
          {awb}
        </Link>
      </li>
    ))}
  </ul>
)
