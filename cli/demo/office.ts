import { setTimeout as pause } from 'node:timers/promises'
import type { DriverInput } from '../../contract/driver.ts'
import type { Task } from '../../contract/task.ts'
import { type Client, WaybillError } from '../../sdk/client.ts'
import { hubs, makeDrivers, makeTeams } from './cast.ts'
import { chanceOf, happens, somewhere } from './chance.ts'
import { rate } from './customer.ts'
import type { Day } from './day.ts'
import {
  arrive,
  canBegin,
  type Driver,
  finish,
  isFree,
  placeOf,
  readRoute,
  report,
  reportPosition,
  start,
} from './driver.ts'
import { planJourney, whereOn } from './journey.ts'
import type { Ledger } from './ledger.ts'
import { type Pace, patiently } from './pace.ts'
import { openDemoPhone } from './phone.ts'
import { type CastTask, endingOf, makeTask, makeTasks } from './tasks.ts'
import * as words from './words.ts'

/* What the office does, with a key: it sets up the day, assigns tasks, and creates new ones. */

export interface Office {
  client: Client
  /** A client for a driver's token. */
  connect: (token: string) => Client
  day: Day
  pace: Pace
  ledger: Ledger
  /** Only on the demo's own server: elsewhere the invented numbers might be somebody's. */
  tellsCustomers: boolean
  /** A partner that some of the tasks come from, on the demo's own server. */
  shop: { client: Client; courierId: number } | undefined
}

export interface Size {
  drivers: number
  tasks: number
}

export interface Staff {
  teamIds: number[]
  formId: number
  drivers: Driver[]
}

/** Hubs, teams and drivers; the drivers sign in as they would with a new phone. */
export async function hire(office: Office, { drivers: count }: Size): Promise<Staff> {
  const { client, pace, day } = office
  const hubIds: number[] = []
  for (const body of hubs) hubIds.push((await patiently(() => client.createHub({ body }), pace)).hub.id)
  const teams = makeTeams(count)
  const teamIds: number[] = []
  for (const { name, hub } of teams) {
    const body = { name, hubId: hubIds[hub] as number }
    teamIds.push((await patiently(() => client.createTeam({ body }), pace)).team.id)
  }
  const { form } = await patiently(() => client.createForm({ body: words.form }), pace)
  const drivers: Driver[] = []
  for (const { input, team, isOnDuty } of makeDrivers(pace.seed, count, day)) {
    const body = { ...input, teams: [teamIds[team] as number] }
    const { id } = (await patiently(() => client.createDriver({ body }), pace)).user
    const { lat, lng } = hubs[teams[team]?.hub ?? 0] as (typeof hubs)[number]
    drivers.push(await signIn(office, id, body, isOnDuty, { lat, lng, heading: 0 }))
  }
  return { teamIds, formId: form.id, drivers }
}

async function signIn(
  { client: office, connect, pace, ledger }: Office,
  id: number,
  { name, phone, driverTransportationId }: DriverInput,
  isOnDuty: boolean,
  position: Driver['position'],
): Promise<Driver> {
  const { code } = await patiently(() => office.inviteDriver({ params: { driverId: id } }), pace)
  const driver: Driver = {
    id,
    name,
    transportationId: driverTransportationId ?? 4,
    isOnDuty,
    phone: await openDemoPhone(connect, { phone, code }, pace),
    position,
    unheard: undefined,
  }
  if (isOnDuty) await driver.phone.keepDone([{ type: 'duty', inShift: true }])
  await report(driver, ledger)
  return driver
}

/** Creates tasks, some of them at the shop. */
async function store(office: Office, tasks: CastTask[], staff: Staff) {
  const needed = new Set(tasks.flatMap(({ input }) => input.dependencies ?? []))
  const isOfShop = ({ input, team, hasForm }: CastTask) =>
    office.shop !== undefined &&
    isBookseller(input.awb) &&
    // A shop knows nothing of the courier's teams, forms and other tasks.
    !(team !== undefined || hasForm || input.pickupTask || input.dependencies || needed.has(input.awb))
  const { shop = [], own = [] } = Object.groupBy(tasks, (task) => (isOfShop(task) ? 'shop' : 'own'))
  await storeOwn(office, own, staff)
  if (office.shop && shop.length > 0) await storeAtShop(office, office.shop, shop)
}

/** By the last digit, so that the same tasks are the shop's in every run of a seed. */
const isBookseller = (awb: string) => /[37]$/.test(awb)

/** The shop creates parcels and gives them to the courier, who has them by the same AWBs. */
async function storeAtShop(
  { ledger, pace, tellsCustomers }: Office,
  { client, courierId: companyId }: NonNullable<Office['shop']>,
  tasks: CastTask[],
) {
  const inputs = tasks.map(({ input }) => ({ ...input, sendNotifications: tellsCustomers }))
  const { results } = await patiently(() => client.bulkCreateTasks({ body: { tasks: inputs } }), pace)
  const created = results.flatMap(({ data }) => data ?? [])
  await patiently(() => client.bulkDelegateTasks({ body: { tasks: created.map(({ id }) => id), companyId } }), pace)
  for (const task of created) ledger.write(task)
}

/** A task comes after those it depends on. */
async function storeOwn(
  { client, ledger, pace, tellsCustomers }: Office,
  tasks: CastTask[],
  { teamIds, formId }: Staff,
) {
  const isLater = ({ input }: CastTask) => (input.dependencies ?? []).length > 0
  for (const part of [tasks.filter((task) => !isLater(task)), tasks.filter(isLater)]) {
    if (part.length === 0) continue
    const inputs = part.map(({ input, team, hasForm }) => ({
      ...input,
      sendNotifications: tellsCustomers,
      teamId: team === undefined ? null : teamIds[team]!,
      ...(hasForm && { formId }),
    }))
    const { results } = await patiently(() => client.bulkCreateTasks({ body: { tasks: inputs } }), pace)
    for (const { data, error } of results) {
      if (error?.code === 'AWB_TAKEN')
        throw new Error(`This organisation already has the tasks of seed ${pace.seed}; choose another with --seed`)
      if (!data) throw new Error(`The server refused a task of the demo: ${error?.message}`)
      ledger.write(data)
    }
  }
}

const awbsOf = (tasks: CastTask[]) => tasks.map(({ input }) => input.awb)

/** Lets the server choose the drivers. Returns the tasks that stay unassigned. */
async function assign({ client, ledger, pace }: Office, awbs: string[], order: boolean): Promise<string[]> {
  if (awbs.length === 0) return []
  const { plan } = await patiently(() => client.planAssignments({ body: { awbs, order } }), pace)
  for (const { awb } of plan.assigned) ledger.assigned(awb)
  return plan.unassigned.map(({ awb }) => awb)
}

/** By hand, in turn: tasks that must be done even if they will be late. */
async function deal({ client, ledger, pace }: Office, awbs: string[], drivers: Driver[]) {
  for (const [index, driver] of drivers.entries()) {
    const tasks = awbs.filter((_, number) => number % drivers.length === index)
    if (tasks.length === 0) continue
    const params = { driverId: driver.id }
    const { results } = await patiently(() => client.assignTasksByAwb({ params, body: { tasks } }), pace)
    for (const { awb, success } of results) if (success) ledger.assigned(awb)
    await patiently(() => client.optimizeTodayTasks({ params, body: {} }), pace)
  }
}

/** The past part of the day: assigned, driven and ended, as fast as the server allows. */
export async function liveMorning(office: Office, staff: Staff, { tasks: count }: Size) {
  const { pace, ledger, day } = office
  const { drivers, teamIds } = staff
  const tasks = makeTasks(pace.seed, count, teamIds.length, day)
  await store(office, tasks, staff)
  const onDuty = drivers.filter(({ isOnDuty }) => isOnDuty)
  const roleOf = new Map(tasks.map(({ role, input }) => [input.awb, role]))
  const morning = tasks.filter(({ role }) => role === 'done' || role === 'failed')
  await deal(office, await assign(office, awbsOf(morning), false), onDuty)
  await Promise.all(
    onDuty.map(async (driver) => {
      const route = await readRoute(driver)
      for (const task of route) {
        pace.signal.throwIfAborted()
        await start(driver, task)
        await arrive(driver, task)
        await finish(driver, task, endingOf(pace.seed, task.awb, roleOf.get(task.awb)), pace.seed)
      }
      await report(driver, ledger, endingOf(pace.seed, driver.name).network)
      await reportPosition(driver)
      for (const task of route) await rate(driver.phone.client, task, roleOf.get(task.awb) === 'done', pace)
    }),
  )
  return tasks
}

/** Open tasks are assigned, and most drivers set out. */
export async function beginAfternoon(office: Office, { drivers }: Staff, tasks: CastTask[]) {
  const { pace, day } = office
  const onDuty = drivers.filter(({ isOnDuty }) => isOnDuty)
  const withRole = (wanted: CastTask['role']) => awbsOf(tasks.filter(({ role }) => role === wanted))
  await assign(office, withRole('open'), true)
  await deal(office, withRole('late'), onDuty)
  const random = chanceOf(pace.seed, 'afternoon')
  for (const [index, driver] of onDuty.entries()) {
    const part = 0.1 + 0.8 * somewhere(random)
    const [next, ...later] = (await readRoute(driver)).filter((task) => canBegin(task, day.now))
    const missed = index % 10 === 0 ? later.findLast(isFree) : undefined
    if (missed) await passBy(office, driver, missed, onDuty[index + 1])
    // Every sixth has a coffee.
    if (next && index % 6 !== 5) await setOut(office, driver, next, part)
    await reportPosition(driver)
  }
}

/** The driver delivers without a network what the office has given to somebody else: now it has to decide. */
async function passBy(office: Office, driver: Driver, task: Task, other: Driver | undefined) {
  if (!other) return
  const { position, phone } = driver
  const from = { ...position }
  phone.isOnline = false
  await start(driver, task)
  await arrive(driver, task)
  await finish(driver, task, { ...endingOf(office.pace.seed, task.awb, 'done'), hasPhoto: true }, office.pace.seed)
  await giveTo(office, other, task)
  phone.isOnline = true
  await report(driver, office.ledger)
  Object.assign(position, from)
}

async function giveTo({ client, pace }: Office, { id }: Driver, { awb }: Task) {
  await patiently(() => client.assignTasksByAwb({ params: { driverId: id }, body: { tasks: [awb] } }), pace)
}

/** Starts, already somewhere on the way. */
async function setOut({ ledger }: Office, driver: Driver, task: Task, part: number) {
  await start(driver, task)
  if (!(await report(driver, ledger))) return
  const { position, transportationId } = driver
  driver.position = whereOn(planJourney(position, placeOf(task.address) ?? position, transportationId), part)
}

const everyMs = 4_000
const mostAtOnce = 8

/** New tasks arrive as others are done, and are assigned; some wait. */
export async function takeOrders(office: Office, staff: Staff, { tasks: count }: Size): Promise<never> {
  const { ledger, pace, day } = office
  const random = chanceOf(pace.seed, 'orders')
  const { assigned, onTheWay, waiting: usuallyWaiting } = ledger.counts()
  const wanted = assigned + onTheWay
  for (let number = count; ; ) {
    await pause(everyMs, undefined, { signal: pace.signal })
    const { assigned, onTheWay, waiting } = ledger.counts()
    const missing = Math.min(mostAtOnce, wanted - assigned - onTheWay)
    const today = { ...day, now: new Date() }
    const tasks = Array.from({ length: Math.max(0, missing) }, () => {
      number += 1
      return makeTask(pace.seed, number, happens(random, 0.1) ? 'waiting' : 'fresh', staff.teamIds.length, today)
    })
    if (tasks.length > 0) await store(office, tasks, staff)
    const ready = awbsOf(tasks.filter(({ role }) => role === 'fresh'))
    await unlessBusy(assign(office, ready, true))
    if (waiting > 1.5 * usuallyWaiting + 4) await unlessBusy(assignAll(office))
    if (happens(random, 0.15)) await callInVain(office, staff)
  }
}

const mostConflicts = 4

/** A driver cannot be reached, so the office gives the task to another one. Not if it has enough to decide already. */
async function callInVain(office: Office, { drivers }: Staff) {
  const onDuty = drivers.filter(({ isOnDuty }) => isOnDuty)
  const silent = onDuty.find(({ unheard }) => unheard)
  const other = onDuty.find(({ phone }) => phone.isOnline)
  if (!silent?.unheard || !other) return
  const query = { settled: false, limit: mostConflicts }
  const { conflicts } = await patiently(() => office.client.listConflicts({ query }), office.pace)
  if (conflicts.length < mostConflicts) await giveTo(office, other, silent.unheard)
}

/** Too many are waiting: a dispatcher lets the server plan all of them. */
async function assignAll({ client, ledger }: Office) {
  const { plan } = await client.planAssignments({ body: {} })
  for (const { awb } of plan.assigned) ledger.assigned(awb)
}

async function unlessBusy(planning: Promise<unknown>) {
  try {
    await planning
  } catch (error) {
    if (!(error instanceof WaybillError) || error.code !== 'PLANNER_BUSY') throw error
  }
}
