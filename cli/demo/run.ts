import { setTimeout as pause } from 'node:timers/promises'
import { triggers } from '../../core/triggers.ts'
import { type Client, createClient, WaybillError } from '../../sdk/client.ts'
import { dayAround } from './day.ts'
import { drive } from './driver.ts'
import type { Host } from './host.ts'
import { type Counts, openLedger } from './ledger.ts'
import { beginAfternoon, hire, liveMorning, type Office, type Size, type Staff, takeOrders } from './office.ts'
import { startReceiver } from './receiver.ts'
import { openScreen, tallyLine } from './screen.ts'

export interface Plan extends Size {
  seed: number
  speed: number
  /** Stop before the day begins to move. */
  isStill: boolean
  /** Undefined: until stopped. */
  durationSeconds: number | undefined
  /** Even if the organisation is not empty. */
  isForced: boolean
}

/** Fills the organisation and runs its day, until the signal or as long as planned. Returns the final counts. */
export async function runDemo(host: Host, plan: Plan, signal: AbortSignal): Promise<Counts> {
  const client = createClient(host)
  if (!plan.isForced) await requireEmpty(client)
  // Its own server needs no introduction; somebody else's may still want to know whose it is.
  if (host.person) await client.updateCompany({ body: { firstSteps: 'done' } })
  await using opened = new AsyncDisposableStack()
  const screen = openScreen()
  opened.defer(screen.close)
  const receiver = await startReceiver(plan.seed)
  opened.defer(receiver.close)

  const over = new AbortController()
  const ends = AbortSignal.any([signal, over.signal])
  const office: Office = {
    client,
    connect: (token) => createClient({ url: host.url, key: token }),
    day: dayAround(new Date()),
    pace: { seed: plan.seed, speed: plan.speed, signal: ends },
    ledger: openLedger(),
    tellsCustomers: host.person !== undefined,
    shop: host.shop && {
      client: createClient({ url: host.url, key: host.shop.key }),
      courierId: host.shop.courierId,
    },
  }
  const webhookIds = await subscribe(client, receiver.url)
  const isHeard = webhookIds.length > 0
  // The server may outlive the demo; it must not keep calling a receiver that is gone.
  if (!host.person && !plan.isStill) opened.defer(() => unsubscribe(client, webhookIds))
  if (!isHeard) screen.say('The server cannot reach a receiver on this machine, so the demo runs without webhooks.')
  screen.say(greeting(host, plan))
  screen.follow(() => tallyLine(office.ledger.counts(), isHeard ? receiver.tally : undefined))

  const staff = await hire(office, plan)
  await beginAfternoon(office, staff, await liveMorning(office, staff, plan))
  screen.say(
    plan.isStill
      ? 'The morning is over and the clock is stopped.'
      : `The morning is over; time now runs ${plan.speed} times faster.`,
  )
  const work = plan.isStill ? [] : putToWork(office, staff, plan)
  // A server that was running before keeps showing the stopped day.
  const isNobodyNeeded = plan.isStill && !host.person && plan.durationSeconds === undefined
  try {
    await Promise.race([...work, pause(isNobodyNeeded ? 0 : lastsMs(plan), undefined, { signal })])
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    over.abort()
    await Promise.allSettled(work)
  }
  return office.ledger.counts()
}

const lastsMs = ({ durationSeconds }: Plan) => (durationSeconds === undefined ? 2 ** 31 - 1 : durationSeconds * 1_000)

const putToWork = (office: Office, staff: Staff, plan: Plan) => [
  takeOrders(office, staff, plan),
  ...staff.drivers.filter(({ isOnDuty }) => isOnDuty).map((driver) => drive(driver, office.ledger, office.pace)),
]

/** Real tasks and drivers must not be mixed with invented ones. */
async function requireEmpty(client: Client) {
  const query = { limit: 1 }
  const [{ tasks }, { users }] = [await client.listTasks({ query }), await client.listDrivers({ query })]
  if (tasks.length > 0 || users.length > 0)
    throw new Error('This organisation already has tasks or drivers; use --force to add the demo anyway')
}

/** Every trigger goes to the demo's receiver. A server elsewhere cannot or will not reach it. */
async function subscribe(client: Client, url: string): Promise<number[]> {
  const webhookIds: number[] = []
  try {
    for (const { id: trigger } of Object.values(triggers))
      webhookIds.push((await client.createWebhook({ body: { url, trigger } })).webHook.id)
  } catch (error) {
    if (!(error instanceof WaybillError) || !error.code.startsWith('WEBHOOK_URL_')) throw error
  }
  return webhookIds
}

async function unsubscribe(client: Client, webhookIds: number[]) {
  // The server may be gone already; then there is nothing to clean up.
  for (const webhookId of webhookIds) await client.deleteWebhook({ params: { webhookId } }).catch(() => {})
}

function greeting({ url, person, shop }: Host, { drivers, tasks, seed }: Plan): string {
  return [
    '',
    `  A working day in Bucharest: ${drivers} drivers, ${tasks} tasks, seed ${seed}.`,
    '',
    `  Open      ${url}`,
    ...(person ? [`  E-mail    ${person.email}`, `  Password  ${person.password}`] : []),
    ...(shop
      ? [
          '',
          '  A shop gives some of its parcels to this courier. To see its side, sign in in a private window:',
          `  E-mail    ${shop.person.email}`,
          `  Password  ${shop.person.password}`,
        ]
      : []),
    '',
    '  Ctrl-C ends it.',
    '',
  ].join('\n')
}
