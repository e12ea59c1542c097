import { Refusal } from '../../contract/errors.ts'
import { mostItems } from '../../contract/limits.ts'
import { sumAmounts } from '../../core/money.ts'
import { stopsOf } from '../../core/stop.ts'
import { dayOf } from '../../core/task-day.ts'
import { Failed, isEnded, Succeeded } from '../../core/task-status.ts'
import { readDay } from '../../core/time.ts'
import type { Language } from '../../core/words/languages.ts'
import type { Context } from '../context.ts'
import { type DriverRow, findDriver } from '../drivers/queries.ts'
import type { Organisation } from '../organisations/queries.ts'
import { getOpenRoute } from '../planning/route/open-route.ts'
import { arrivalOf } from '../tasks/arrival.ts'
import { phoneOf } from '../tasks/customers/customers.ts'
import { listTaskIds } from '../tasks/list/queries.ts'
import { viewTasks } from '../tasks/read/view.ts'
import type { TaskView } from '../tasks/tables.ts'
import type { Fact, ListSheet } from '../threads/paper.ts'
import { type Formats, formatsOf } from './formats.ts'
import { methodOf, toCollect } from './label.ts'
import { listHubs } from './queries.ts'
import { type Say, sayIn } from './words.ts'

/** A driver's day as it is printed: what has ended in the order in which it did, then the route. */
export interface Manifest {
  driver: DriverRow
  hub: string
  day: string
  tasks: TaskView[]
}

export async function readManifest(
  context: Context,
  organisation: Organisation,
  driverId: number,
  wanted: string | null | undefined,
): Promise<Manifest> {
  const { db, clock } = context
  const { id: organisationId, timezone } = organisation
  const driver = await findDriver(db, organisationId, driverId)
  if (!driver) throw new Refusal('DRIVER_NOT_FOUND')
  const today = dayOf(clock.now(), timezone)
  const day = wanted?.trim() || today
  const bounds = readDay(day, timezone)
  if (!bounds) throw new Refusal('INVALID_TIME', { field: 'day', message: 'day must look like 2026-11-15' })
  const ended = await listEnded(context, organisation, driverId, { ...bounds, isToday: day === today })
  const open = day < today ? [] : (await getOpenRoute(context, organisation, driverId, day)).ofDay
  const tasks = [...ended, ...open]
  if (tasks.length > mostItems)
    throw new Refusal('TOO_MANY_ITEMS', { field: 'day', message: `A run sheet has at most ${mostItems} tasks` })
  const hubs = await listHubs(
    db,
    organisationId,
    driver.teams.map(({ id }) => id),
  )
  const hub = driver.teams.map(({ id }) => hubs.find(({ team_id }) => team_id === id)).find(Boolean) ?? hubs.at(-1)
  return { driver, hub: hub ? [hub.name, hub.address].filter(Boolean).join(', ') : '', day, tasks }
}

async function listEnded(
  { db }: Context,
  { id }: Organisation,
  userId: number,
  day: { start: Date; end: Date; isToday: boolean },
): Promise<TaskView[]> {
  const filter = { userId, day, statusIds: [Succeeded, Failed] }
  const ids = await listTaskIds(db, id, filter, { id: 0, isNewestFirst: false }, mostItems + 1)
  const timeOf = ({ completed_at }: TaskView) => (completed_at ? new Date(completed_at).getTime() : 0)
  return (await viewTasks(db, id, ids)).sort((one, other) => timeOf(one) - timeOf(other))
}

/** One line for each task, grouped by stop. */
export function describeManifest(
  { driver, hub, day, tasks }: Manifest,
  organisation: Organisation,
  language: Language,
): ListSheet {
  const say = sayIn(language)
  const formats = formatsOf(language, organisation.timezone, organisation.currency)
  const stops = stopsOf(tasks, ({ address }) => address)
  const openStops = stops.filter((stop) => stop.some((task) => !ended(task)))
  const facts: (Fact | false)[] = [
    [say('driver'), [driver.name, driver.phone].filter(Boolean).join(', ')],
    driver.transportation_id !== null && [say('vehicle'), say(vehicleOf(driver.transportation_id))],
    hub !== '' && [say('hub'), hub],
  ]
  return {
    title: say('runSheet'),
    subtitle: formats.day(day),
    facts: facts.filter((fact) => fact !== false),
    columns: [
      [say('stop'), 0.05],
      [say('load'), 0.04],
      [say('time'), 0.05],
      [say('window'), 0.09],
      [say('address'), 0.25],
      [say('customer'), 0.15],
      [say('awb'), 0.12],
      [say('items'), 0.05],
      [say('collect'), 0.09],
      [say('signature'), 0.11],
    ],
    rows: stops.flatMap((stop, at) =>
      stop.map((task, place) => {
        const load = openStops.length - openStops.indexOf(stop)
        const isFirst = place === 0
        return [
          isFirst ? String(at + 1) : '',
          isFirst && load <= openStops.length ? String(load) : '',
          ...cellsOf(task, isFirst ? undefined : stop[0], formats, say),
        ]
      }),
    ),
    closing: {
      facts: totalsOf(tasks, stops.length, formats, say),
      remark: tasks.length > 0 ? say('loadNote') : say('empty'),
      signatures: [say('handedOver'), say('takenOver'), say('settled')],
    },
  }
}

const ended = (task: TaskView) => isEnded({ statusId: task.status_id })
type Vehicle = 'vehicle1' | 'vehicle2' | 'vehicle3' | 'vehicle4' | 'vehicle5' | 'vehicle6'
const vehicleOf = (id: number) => `vehicle${id}` as Vehicle

/** What one task says; what it shares with the first of its stop is said there. */
function cellsOf(task: TaskView, first: TaskView | undefined, formats: Formats, say: Say): string[] {
  const arrival = arrivalOf(task) ?? task.route?.arrivalTime
  const amount = toCollect(task)
  const address = placeOf(task)
  return [
    arrival && !ended(task) && !first ? formats.time(arrival) : '',
    formats.hours(task.complete_after, task.complete_before, say),
    first && placeOf(first) === address ? '″' : short(address, 240),
    task.customer ? short([task.customer.name, phoneOf(task.customer)].filter(Boolean).join(', '), 160) : '',
    task.awb,
    task.quantity === null ? '' : String(task.quantity),
    amount > 0 ? say('amountBy', { amount: formats.money(amount), method: say(methodOf(task)) }) : '',
    ended(task) && task.completed_at
      ? say(task.status_id === Succeeded ? 'done' : 'notDone', { time: formats.time(task.completed_at) })
      : '',
  ]
}

const placeOf = ({ address }: TaskView) => [address.address, address.address_second_line].filter(Boolean).join(', ')

/** A row must fit a page. */
const short = (text: string, longest: number) => (text.length > longest ? `${text.slice(0, longest)}…` : text)

function totalsOf(tasks: TaskView[], stops: number, formats: Formats, say: Say): Fact[] {
  const sum = (method?: string) =>
    formats.money(sumAmounts(tasks.filter((task) => !method || methodOf(task) === method).map(toCollect)))
  return [
    [say('stops'), String(stops)],
    [say('tasks'), String(tasks.length)],
    [say('items'), String(sumAmounts(tasks.map(({ quantity }) => quantity ?? 0)))],
    [say('cashTotal'), sum('cash')],
    [say('cardTotal'), sum('card')],
    [say('total'), sum()],
  ]
}
