import type { TaskInput } from '../../contract/task.ts'
import { makePhone, teamFor } from './cast.ts'
import { between, chanceOf, happens, pick, type Random, shuffle } from './chance.ts'
import { type Day, type Role, windowFor } from './day.ts'
import type { Network } from './phone.ts'
import { placeOf, streets } from './streets.ts'
import * as words from './words.ts'

export interface CastTask {
  role: Role
  /** Everything except the team id, which the server assigns. */
  input: TaskInput & { awb: string }
  team: number | undefined
  /** The driver fills in a form when handing it over. */
  hasForm: boolean
}

/** The states of the morning's tasks; the rest is open. */
const shares: [Role, number][] = [
  ['done', 0.4],
  ['failed', 0.04],
  ['late', 0.03],
  ['waiting', 0.06],
]

export function rolesFor(seed: number, count: number): Role[] {
  const given = shares.flatMap(([role, share]) => Array<Role>(Math.max(1, Math.round(count * share))).fill(role))
  const open = Array<Role>(Math.max(0, count - given.length)).fill('open')
  return shuffle(chanceOf(seed, 'roles'), [...given.slice(0, count), ...open])
}

/** The tasks the demo begins with, in the order of their numbers. */
export function makeTasks(seed: number, count: number, teamCount: number, day: Day): CastTask[] {
  const tasks = rolesFor(seed, count).map((role, index) => makeTask(seed, index + 1, role, teamCount, day))
  return tieTogether(tasks)
}

export function makeTask(seed: number, number: number, role: Role, teamCount: number, day: Day): CastTask {
  const random = chanceOf(seed, `task ${number}`)
  const street = pick(random, streets)
  const house = between(random, 1, street.lastNumber)
  const isPickup = happens(random, 0.12)
  // Some waiting tasks cannot be planned yet: their address is only text.
  const hasPlace = role !== 'waiting' || !happens(random, 0.2)
  const price = happens(random, 0.55) && !isPickup ? between(random, 25, 890) : 0
  return {
    role,
    team: happens(random, 0.3) ? teamFor(street.area, teamCount) : undefined,
    hasForm: happens(chanceOf(seed, `form ${number}`), 0.25),
    input: {
      awb: `BUC${seed}-${String(number).padStart(4, '0')}`,
      details: pick(random, isPickup ? words.pickups : words.parcels),
      ...(happens(random, 0.25) && { customerNotes: pick(random, words.wishes) }),
      customer: makeCustomer(random),
      address: {
        address: `${street.name} ${house}, București, Sector ${street.sector}`,
        streetName: street.name,
        streetNumber: String(house),
        city: 'București',
        area: `Sector ${street.sector}`,
        ...(hasPlace && placeOf(street, house)),
      },
      pickupTask: isPickup,
      ...(price > 0 && { totalPrice: price, paymentTypeId: happens(random, 0.4) ? 2 : 1 }),
      deliveryPrice: pick(random, [15, 18, 20, 25]),
      quantity: pick(random, [1, 1, 1, 2, 3]),
      priority: pick(random, [0, 0, 0, 0, 0, 1, 2]),
      serviceTime: pick(random, [3, 4, 5, 5, 8, 10]),
      ...(happens(random, 0.2) && { customFields: makeFields(random) }),
      ...windowFor(role, day, random),
    },
  }
}

function makeCustomer(random: Random) {
  const name = `${pick(random, words.firstNames)} ${pick(random, words.lastNames)}`
  const phone = makePhone(random)
  return { name: happens(random, 0.15) ? pick(random, words.companies) : name, phone }
}

const makeFields = (random: Random) => [
  pick(random, [
    { key: 'temperatură', value: '2-8 °C' },
    { key: 'vârstă', value: '18+' },
    { key: 'factură', value: `FCT ${between(random, 10_000, 99_999)}` },
    { key: 'etaj', value: between(random, 1, 10) },
  ]),
]

/** Some goods are picked up before they are delivered: the delivery depends on the pickup. */
function tieTogether(tasks: CastTask[]): CastTask[] {
  const done = tasks.filter(({ role }) => role === 'done')
  const open = tasks.filter(({ role }) => role === 'open')
  const pairs = Math.floor(tasks.length / 30)
  const first = [...done.slice(0, pairs), ...open.slice(0, pairs)]
  const second = open.slice(pairs, 3 * pairs)
  for (const [index, { input: pickup, team }] of first.entries()) {
    const delivery = second[index]
    if (!delivery) break
    Object.assign(pickup, { pickupTask: true, details: 'Ridicare marfă din depozit' })
    Object.assign(delivery, { team, input: { ...delivery.input, pickupTask: false, dependencies: [pickup.awb] } })
  }
  return tasks
}

/** How a task will end, independent of its driver and time. */
export interface Ending {
  failure: string | undefined
  remark: string | undefined
  hasPhoto: boolean
  isSigned: boolean
  isScanned: boolean
  /** The driver has no network from the beginning to the end of it. */
  isOffline: boolean
  network: Network
  /** Which of the pictures it gets. */
  look: number
}

export function endingOf(seed: number, awb: string, role?: Role): Ending {
  const random = chanceOf(seed, `fate ${awb}`)
  const [reason, remark] = [pick(random, words.reasons), pick(random, words.remarks)]
  const fails = role === 'failed' || (role !== 'done' && happens(random, 0.07))
  return {
    failure: fails ? reason : undefined,
    remark: happens(random, 0.25) ? remark : undefined,
    hasPhoto: happens(random, 0.5),
    isSigned: happens(random, 0.6),
    isScanned: happens(random, 0.3),
    isOffline: happens(random, 0.15),
    network: pick(random, ['good', 'good', 'breaking', 'losing']),
    look: between(random, 0, 99),
  }
}
