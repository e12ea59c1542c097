import { appendFileSync } from 'node:fs'
import type { TestContext } from 'node:test'

/*
 * How much is proved, and when. `npm test` runs the short form of every part, `npm run test:nightly` the full one. A proof
 * that is made shorter in the gate keeps its full form here. WAYBILL_NIGHTLY=10 makes the nightly run ten times as long.
 */

interface Amount {
  gate: number
  night: number
  /** Whether a longer night has more of it. */
  grows: boolean
}

const grows = (gate: number, night: number): Amount => ({ gate, night, grows: true })
const stays = (gate: number, night: number): Amount => ({ gate, night, grows: false })

interface Proof {
  /** Files or folders of tests. */
  files: string[]
  /** Only the tests whose names match, where the rest of the file has no other form. */
  only?: string
  proves: string
  amounts: Record<string, Amount>
  /** They measure how long others wait, so nothing runs beside them. */
  isAlone?: true
}

export const proofs = {
  sync: {
    files: ['server/test/sync.test.ts'],
    proves:
      'whatever phones, office and network do, and while the server is killed, the result is that of a plain model',
    amounts: {
      histories: grows(20, 1_000),
      'steps in one': stays(14, 30),
      'histories with a killed server': grows(1, 12),
      'deaths in one': stays(1, 100),
      'planted faults': stays(2, 14),
    },
  },
  phone: {
    files: ['phone/phone.test.ts'],
    proves: 'a phone loses, doubles and reorders nothing, whatever the network, its store and its tabs do',
    amounts: { worlds: grows(150, 20_000) },
  },
  'crash-field': {
    files: ['server/test/crash-field.test.ts'],
    proves: 'what a phone was told is done is there, once, after server, database or both were killed',
    amounts: { deaths: grows(1, 9) },
  },
  'crash-messages': {
    files: ['server/test/crash-messages.test.ts'],
    proves: 'a customer gets at most one SMS or email for each cause, whether servers, the database or all were killed',
    amounts: { deaths: grows(1, 15) },
  },
  'crash-erasure': {
    files: ['server/test/crash-erasure.test.ts'],
    proves:
      'erasing goes on after server, database or both were killed, nothing is half erased, and each task has one receipt',
    amounts: { deaths: grows(1, 12) },
  },
  'crash-partners': {
    files: ['server/test/crash-partners.test.ts'],
    proves:
      'a task that is given to a partner or back is with one of them, with events on both sides or on none, whatever was killed meanwhile',
    amounts: { deaths: grows(2, 20) },
  },
  'crash-schedules': {
    files: ['server/test/crash-schedules.test.ts'],
    proves:
      'each day of regular work has its task, and one, although processes were killed while they made them, also between a task and its day',
    amounts: { rounds: grows(1, 20) },
  },
  'crash-map': {
    files: ['server/test/crash-map.test.ts'],
    proves: 'an import of a map that is killed at any moment leaves all of the new map or all of the old one',
    amounts: { deaths: grows(1, 40) },
  },
  crash: {
    files: ['server/test/crash.test.ts'],
    proves: 'clients, tables and receivers agree after servers, PostgreSQL and connections were killed under load',
    amounts: { disasters: grows(4, 40) },
  },
  processes: {
    files: ['server/test/processes.test.ts'],
    proves: 'processes that share a database can be killed and stopped under load',
    amounts: {
      'killed pairs': grows(1, 8),
      'stopped processes': stays(1, 2),
      'writers while one stops': stays(6, 8),
      'ms between writes': stays(100, 5),
    },
  },
  'phone offline': {
    files: ['web/test/driver-lost.test.ts'],
    only: 'an app killed with',
    proves: 'an app killed with a shift of work waiting sends each step and photo once',
    amounts: { stops: stays(3, 5) },
  },
  'phone and killed server': {
    files: ['web/test/driver-killed.test.ts'],
    proves: 'a server killed between storing a step and answering it has every step once',
    amounts: { kills: stays(1, 2) },
  },
  openings: {
    files: ['web/test/driver-reopened.test.ts'],
    proves: 'an app that a phone keeps opens each time, however often and quickly it is closed and opened again',
    amounts: { openings: grows(5, 1_000) },
  },
  'whole shift': {
    files: ['web/test/driver-shift.test.ts'],
    proves:
      'a shift in a real browser loses and doubles nothing, through lost networks, closed apps and killed servers',
    amounts: { stops: grows(2, 20) },
  },
  import: {
    files: ['web/test/import.test.ts'],
    proves: 'a long list is corrected by keyboard, imported, interrupted and continued, with every row once',
    amounts: { rows: stays(300, 600), 'rows of a long list': stays(600, 10_000), 'rows to fix': stays(6, 300) },
  },
  screens: {
    files: ['web/test/screens.test.ts'],
    proves: 'every screen fits every window in every language: nothing is outside, cut off, or under something else',
    amounts: { sizes: stays(1, 6) },
  },
  deliveries: {
    files: ['server/test/deliveries.test.ts'],
    proves: 'every event is accounted for at every webhook, and arrives in order',
    amounts: { histories: grows(3, 40) },
  },
  simulation: {
    files: ['server/test/simulation.test.ts'],
    only: 'whatever crashes, stalls or fails',
    proves: 'the delivery engine keeps its promises in worlds by seed',
    amounts: { worlds: grows(1_000, 60_000) },
  },
  model: {
    files: ['server/test/model.test.ts'],
    proves: 'responses, tasks, routes and the log follow the rules, for one client and for many at once',
    amounts: { 'runs of one client': grows(4, 30), 'runs of many clients': grows(3, 30) },
  },
  partners: {
    files: ['server/test/partners-model.test.ts', 'server/test/partners-races.test.ts'],
    proves:
      'whatever three organisations do to tasks they share, one after the other or at once, a task is with one of them, both sides are equal, and each has its own events',
    amounts: { histories: grows(2, 60), steps: stays(40, 120), races: grows(2, 100) },
  },
  'followed days': {
    files: ['server/test/followed-days.test.ts'],
    proves: 'arrivals, delays and starts of drivers who move are what a plain model says',
    amounts: { days: grows(2, 25) },
  },
  week: {
    files: ['server/test/week.test.ts'],
    proves:
      'after weeks of a courier firm every parcel has one whole story, and money adds up to the last ban, as a plain model says',
    amounts: { firms: grows(1, 8), 'days of each': stays(7, 21), 'parcels a day': stays(6, 20) },
  },
  fuzz: {
    files: ['server/test/fuzz.test.ts'],
    proves: 'no request made from the published document is answered with a failure of ours',
    amounts: { requests: grows(600, 20_000) },
  },
  strays: {
    files: ['server/test/mounted.test.ts'],
    proves: 'no strange address or header gets an internal error from any route',
    amounts: { requests: grows(400, 20_000) },
  },
  deletions: {
    files: ['server/test/bad-input.test.ts'],
    only: 'a record deleted while a request refers to it',
    proves: 'a record deleted while others refer to it is found or missing',
    amounts: { rounds: grows(8, 200) },
  },
  readers: {
    files: ['server/events/feed.test.ts'],
    only: 'hundreds of readers come and go',
    proves: 'readers of the stream come and go without a leak',
    amounts: { 'hundreds of readers': grows(5, 40) },
  },
  plans: {
    files: ['core/optimise/solve.test.ts', 'core/optimise/days.test.ts'],
    only: 'every solution serves|never worse than the current one|a thousand tasks of fifty|ten to forty stops',
    proves: 'every plan keeps the rules, costs what it says, and comes close to the best known',
    amounts: {
      plans: grows(100, 2_000),
      'iterations for a fleet': stays(100, 300),
      'iterations for a day': stays(2_500, 4_000),
    },
  },
  roads: {
    files: ['server/map/roads/search/search.test.ts'],
    proves: 'every time, length and way on roads is that of a plain search, and what could be wrong is noticed',
    amounts: { pairs: grows(10_000, 400_000), 'planted faults': stays(4, 7) },
  },
  backup: {
    files: ['server/backup/backup.test.ts'],
    only: 'made under load|restored byte for byte|fails halfway',
    proves: 'a backup is one moment, comes back byte for byte, over an old database too, or changes nothing',
    amounts: { writers: stays(3, 6), 'databases replaced': stays(1, 2), 'places to fail': stays(3, 5) },
  },
  migrations: {
    files: ['server/db/migrate.test.ts'],
    only: 'clients do not notice',
    proves: 'clients do not notice a migration',
    amounts: { clients: stays(4, 6), 'requests after it': stays(36, 60) },
  },
  'embedded database': {
    files: ['server/db/embedded.test.ts'],
    proves: 'of processes that start for the first time at once one wins, and a killed database comes back',
    amounts: { rivals: stays(2, 3) },
  },
  'failed starts': {
    files: ['cli/serve.test.ts'],
    only: 'a failed start is explained',
    proves: 'a start that fails says why in one sentence',
    amounts: { 'real programs': stays(0, 4) },
  },
  hostile: {
    files: ['server/test/hostile'],
    proves: 'attacked by floods, slow bodies and unread answers, the server answers everybody else',
    amounts: { 'seconds of each attack': stays(1.2, 30), 'shapes of requests': grows(3, 24) },
    isAlone: true,
  },
} as const satisfies Record<string, Proof>

export type ProofName = keyof typeof proofs
type AmountsOf<Name extends ProofName> = Record<keyof (typeof proofs)[Name]['amounts'], number>

/** How many times as long as usual; 0 in the gate. */
export const nights = Number(process.env['WAYBILL_NIGHTLY'] ?? 0)

export const amountOf = ({ gate, night, grows }: Amount, times = nights) =>
  times === 0 ? gate : grows ? Math.max(gate, Math.round(night * times)) : night

/** How much a part has to prove in this run. */
export function amountsOf<Name extends ProofName>(name: Name): AmountsOf<Name> {
  const amounts = Object.entries<Amount>(proofs[name].amounts).map(([what, amount]) => [what, amountOf(amount)])
  return Object.fromEntries(amounts) as AmountsOf<Name>
}

/** By day the usual one, so that everybody runs the same; each night another one, which WAYBILL_SEED repeats. */
export const seedOr = (usual: number) => Number(process.env['WAYBILL_SEED'] || usual)

/** What a part of a nightly run came to. */
export interface Result {
  hasPassed: boolean
  seconds: number
  seed: number
  numbers: Record<string, number>
}

export interface Told {
  proof: ProofName
  numbers: Record<string, number>
}

/** Says what was really done. The nightly run collects it. */
export function tellNumbers(t: TestContext, proof: ProofName, numbers: Record<string, number>) {
  const counted = Object.entries(numbers).map(([what, count]) => `${what}: ${count}`)
  t.diagnostic(counted.join(', '))
  const file = process.env['WAYBILL_NIGHTLY_NUMBERS']
  if (file) appendFileSync(file, `${JSON.stringify({ proof, numbers } satisfies Told)}\n`)
}
