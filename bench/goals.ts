import { type Comparison, median } from './measure.ts'
import { type Bench, comparisonOf, found, growthOf, memoryOf, ratioOf, thousands, times } from './results.ts'

/* What is to be reached, beside what, and whether the saved results reach it. */

interface Finding {
  text: string
  isReached: boolean
}

interface Goal {
  what: string
  against: string
  goal: string
  from: [bench: Bench, part: string]
  find: () => Finding | undefined
}

const atLeast =
  (bench: Bench, part: string, least: number, name = 'waybill') =>
  () => {
    const compared = comparisonOf(bench, part)
    const ratio = compared && ratioOf(compared, name)
    if (!compared || !ratio) return undefined
    const rate = `${thousands(median(compared.values[name]!))} ${compared.unit}`
    return { text: `${times(ratio)}, ${rate}`, isReached: ratio.value >= least }
  }

/** What a request costs node and PostgreSQL together, in milliseconds, and how many times as much it costs another. */
const costAtMost = (part: string, mostMs: number, leastRatio: number) => () => {
  const measured = found<{ processorMs: Record<string, { node: number; postgres: number }> }>('peers', part)
  const [ours, lean] = ['waybill', 'lean'].map((name) => {
    const spent = measured?.processorMs[name]
    return spent && spent.node + spent.postgres
  })
  if (!ours || !lean) return undefined
  const text = `${ours.toFixed(2)} ms, ${(lean / ours).toFixed(2)} ×`
  return { text, isReached: ours <= mostMs && lean / ours >= leastRatio }
}

export const goals: Goal[] = [
  {
    what: '`POST /tasks`, 64 connections, full answer, event recorded',
    against: 'the same rows, one per transaction, with our own client',
    goal: '≥ 1.0 ×',
    from: ['api', 'create'],
    find: atLeast('api', 'create', 1),
  },
  {
    what: 'the same',
    against: '`pgbench`, the same statement',
    goal: '≥ 5 ×',
    from: ['api', 'create'],
    find() {
      const compared = comparisonOf('api', 'create')
      const ratio = compared?.values['pgbench'] && ratioOf({ ...compared, reference: 'pgbench' }, 'waybill')
      return ratio ? { text: times(ratio), isReached: ratio.value >= 5 } : undefined
    },
  },
  {
    what: 'the same with one subscribed webhook, deliveries going out',
    against: 'without the webhook',
    goal: '≥ 0.8 × in every round',
    from: ['api', 'webhook'],
    find() {
      const finding = atLeast('api', 'webhook', 0.8, 'with a webhook')()
      const compared = comparisonOf('api', 'webhook')
      const ratio = compared && ratioOf(compared, 'with a webhook')
      return finding && ratio && { ...finding, isReached: ratio.lowest >= 0.8 }
    },
  },
  {
    what: '`bulkCreate` of 1,000',
    against: 'raw `insert … select from unnest` of the same rows',
    goal: '≥ 0.65 ×',
    from: ['api', 'bulk'],
    find: atLeast('api', 'bulk', 0.65),
  },
  {
    what: 'assign 1,000 tasks in one call',
    against: '',
    goal: '< 200 ms',
    from: ['api', 'assign'],
    find() {
      const tookMs = found<{ tookMs: number[] }>('api', 'assign')?.tookMs
      if (!tookMs) return undefined
      const text = `${median(tookMs).toFixed(0)} ms (${Math.min(...tookMs).toFixed(0)} to ${Math.max(...tookMs).toFixed(0)})`
      return { text, isReached: median(tookMs) < 200 }
    },
  },
  {
    what: '`POST /driver/sync`, 64 phones, 20 ops a batch',
    against: 'the same rows in sets of one batch, with our own client',
    goal: '≥ 0.4 ×, ≥ 2,000/s',
    from: ['sync', 'sets'],
    find() {
      const finding = atLeast('sync', 'sets', 0.4)()
      const rates = comparisonOf('sync', 'sets')?.values['waybill']
      return finding && rates && { ...finding, isReached: finding.isReached && median(rates) >= 2_000 }
    },
  },
  {
    what: '200 phones with 100 ops each come back at once',
    against: 'a phone with 3 ops meanwhile; reading and creating tasks',
    goal: 'p99 ≤ 2 s; ≤ 1 s',
    from: ['sync', 'return'],
    find() {
      const back = found<Record<'three' | 'read' | 'create', { p99Ms: number }>>('sync', 'return')
      if (!back) return undefined
      const [three, other] = [back.three.p99Ms, Math.max(back.read.p99Ms, back.create.p99Ms)]
      const text = `p99 ${(three / 1_000).toFixed(2)} s; ${(other / 1_000).toFixed(2)} s`
      return { text, isReached: three <= 2_000 && other <= 1_000 }
    },
  },
  ...[20, 100].map((size): Goal => {
    const part = `positions${size}`
    return {
      what: `\`POST /driver/locations\`, 1,000 phones, ${size} positions a batch, arrivals following`,
      against: 'one insert a batch, with our own client',
      goal: '≥ 0.5 ×, ≥ 15,000/s',
      from: ['positions', part],
      find() {
        const finding = atLeast('positions', part, 0.5)()
        const rates = comparisonOf('positions', part)?.values['waybill']
        return finding && rates && { ...finding, isReached: finding.isReached && median(rates) >= 15_000 }
      },
    }
  }),
  {
    what: 'the same with 2,000,000 positions of the last hours',
    against: 'with a short history',
    goal: '≥ 0.83 ×',
    from: ['positions', 'history'],
    find: atLeast('positions', 'history', 0.83, '2,000,000 positions'),
  },
  {
    what: '`GET /tasks/:taskId` by one client while 1,000 phones report every 15 s',
    against: 'alone',
    goal: 'p50 ≤ 1.5 ×',
    from: ['positions', 'latency'],
    find: atLeast('positions', 'latency', 1 / 1.5, 'while all phones report every 15 s'),
  },
  {
    what: '`GET /tasks`, a page of 100',
    against: 'the same SQL without HTTP, with our own client',
    goal: '≥ 0.5 ×',
    from: ['api', 'page'],
    find: atLeast('api', 'page', 0.5),
  },
  {
    what: '`GET /tasks/awb/:awb`',
    against: 'the same SQL without HTTP, with our own client',
    goal: '≥ 0.5 ×',
    from: ['api', 'awb'],
    find: atLeast('api', 'awb', 0.5),
  },
  {
    what: 'page 1 and page 10,000; 10 thousand and 1 million tasks',
    against: 'itself',
    goal: 'cost ≤ 1.2 ×',
    from: ['growth', 'requests'],
    find() {
      const grown = growthOf()
      if (!grown) return undefined
      const worst = grown.reduce((most, one) => (one.cost.value > most.cost.value ? one : most))
      const over = grown.filter(({ cost }) => cost.value > 1.2).length
      const text = `${grown.length - over} of ${grown.length} within the goal; highest ${times(worst.cost)}: ${worst.title}`
      return { text, isReached: over === 0 }
    },
  },
  {
    what: 'webhook deliveries, signed, logged, all on one machine',
    against: 'a bare undici loop posting the same bodies',
    goal: '≥ 0.35 ×, ≥ 3,000/s',
    from: ['webhooks', 'throughput'],
    find() {
      const values = found<Record<string, number[]>>('webhooks', 'throughput')
      const ratio = values && ratioOf({ values, reference: 'bare undici' }, 'waybill')
      if (!ratio) return undefined
      const rate = median(values!['waybill']!)
      return { text: `${times(ratio)}, ${thousands(rate)}/s`, isReached: ratio.value >= 0.35 && rate >= 3_000 }
    },
  },
  ...(
    [
      [200, 'one process', 8],
      [1_000, 'one process', Number.POSITIVE_INFINITY],
      [1_000, 'api and worker', Number.POSITIVE_INFINITY],
    ] as const
  ).map(
    ([perSecond, layout, mostP50]): Goal => ({
      what: `commit → receiver, ${thousands(perSecond)} events/s, ${layout}`,
      against: '',
      goal: `${Number.isFinite(mostP50) ? `p50 ≤ ${mostP50} ms, ` : ''}p99 ≤ 40 ms`,
      from: ['webhooks', 'latency'],
      find() {
        const measured = found<Latency[]>('webhooks', 'latency')
        const one = measured?.find((each) => each.layout === layout && each.perSecond === perSecond)
        if (!one) return undefined
        const isAsMany = one.reached >= 0.9 * perSecond
        return {
          text: `p50 ${one.p50.toFixed(1)} ms, p99 ${one.p99.toFixed(1)} ms${isAsMany ? '' : ` (only ${thousands(one.reached)}/s reached)`}`,
          isReached: one.p50 <= mostP50 && one.p99 <= 40 && isAsMany,
        }
      },
    }),
  ),
  {
    what: '100 black-hole receivers among 1,000 plus 100,000 stuck deliveries',
    against: 'healthy receivers without them',
    goal: '≥ 0.9 × throughput, p99 ≤ 1.5 ×',
    from: ['webhooks', 'isolation'],
    find() {
      const measured = found<Record<'rates' | 'p99Ms', Record<string, number[]>>>('webhooks', 'isolation')
      if (!measured) return undefined
      const [rate, late] = [measured.rates, measured.p99Ms].map((values) =>
        ratioOf({ values, reference: 'without' }, 'with black holes'),
      )
      if (!rate || !late) return undefined
      return { text: `${times(rate)}; p99 ${times(late)}`, isReached: rate.value >= 0.9 && late.value <= 1.5 }
    },
  },
  {
    what: 'start until ready: warm; first ever',
    against: '',
    goal: '≤ 2 s; ≤ 15 s',
    from: ['api', 'start'],
    find() {
      const start = found<{ first: number; warm: number[] }>('api', 'start')
      if (!start) return undefined
      const text = `${median(start.warm).toFixed(2)} s; ${start.first.toFixed(1)} s`
      return { text, isReached: median(start.warm) <= 2 && start.first <= 15 }
    },
  },
  {
    what: 'memory of the node process under requests of every kind',
    against: '',
    goal: '≤ 200 MB resident, flat',
    from: ['memory', 'requests'],
    find: () => memoryFinding('requests'),
  },
  {
    what: 'the same with readers of the live stream coming and going',
    against: '',
    goal: '≤ 200 MB resident, flat',
    from: ['memory', 'streams'],
    find: () => memoryFinding('streams'),
  },
  {
    what: 'the same while sets of 1,000 are created and listed, four at a time',
    against: '',
    goal: 'bounded',
    from: ['memory', 'largest'],
    find: () => memoryFinding('largest', Number.POSITIVE_INFINITY),
  },
  {
    what: '`POST /tasks`, 8 connections, while a million old tasks are erased by time',
    against: 'without that',
    goal: '≥ 0.9 ×',
    from: ['erasure', 'creating'],
    find: atLeast('erasure', 'creating', 0.9, 'while old ones are erased'),
  },
  {
    what: '`GET /tasks`, a page of 20, meanwhile',
    against: 'without that',
    goal: '≥ 0.9 ×',
    from: ['erasure', 'reading'],
    find: atLeast('erasure', 'reading', 0.9, 'while old ones are erased'),
  },
  {
    what: 'two processes on one database',
    against: 'one',
    goal: 'not worse',
    from: ['api', 'processes'],
    find: atLeast('api', 'processes', 0.95, 'two processes'),
  },
  {
    what: '10 × overload',
    against: 'goodput at the peak',
    goal: '≥ 0.9 ×, refusals fast, memory bounded',
    from: ['api', 'overload'],
    find() {
      const compared = found<Comparison & { refusalP99Ms: number | null; megabytes: number[] }>('api', 'overload')
      const ratio = compared && ratioOf(compared, 'ten times as many')
      if (!compared || !ratio) return undefined
      const refusals =
        compared.refusalP99Ms === null ? 'no refusals' : `refusals p99 ${compared.refusalP99Ms.toFixed(0)} ms`
      const most = Math.max(...compared.megabytes)
      return {
        text: `${times(ratio)}, ${refusals}, at most ${most.toFixed(0)} MB`,
        isReached: ratio.value >= 0.9 && most <= 400,
      }
    },
  },
  {
    what: '`POST /tasks`, 64 connections',
    against: 'a lean Express + Sequelize service',
    goal: '≥ 6 ×',
    from: ['peers', 'create'],
    find() {
      const compared = comparisonOf('peers', 'create')
      const ratio = compared && ratioOf({ ...compared, reference: 'lean' }, 'waybill')
      if (!ratio) return undefined
      const rate = thousands(median(compared.values['waybill']!))
      return { text: `${times(ratio)}, ${rate} requests/s`, isReached: ratio.value >= 6 }
    },
  },
  {
    what: '`GET /tasks/awb/:awb`, processor time of a request (node + PostgreSQL)',
    against: 'a lean Express + Sequelize service',
    goal: '≤ 0.55 ms, ≥ 8 ×',
    from: ['peers', 'awb'],
    find: costAtMost('awb', 0.55, 8),
  },
  {
    what: '`GET /tasks`, a page of 100, processor time of a request',
    against: 'a lean Express + Sequelize service',
    goal: '≤ 6 ms, ≥ 6 ×',
    from: ['peers', 'page'],
    find: costAtMost('page', 6, 6),
  },
]

/** Memory counts as flat if the second half of the time is at most a tenth above the first. */
function memoryFinding(part: string, mostMegabytes = 200): Finding | undefined {
  const samples = memoryOf(part)?.samples
  if (!samples || samples.length < 4) return undefined
  const most = (from: number, to: number) => Math.max(...samples.slice(from, to).map(({ megabytes }) => megabytes))
  const half = Math.ceil(samples.length / 2)
  const [first, second] = [most(0, half), most(half, samples.length)]
  const text = `${first.toFixed(0)} MB in the first half, ${second.toFixed(0)} MB in the second, of ${thousands(samples.at(-1)!.done)}`
  return { text, isReached: second <= mostMegabytes && second <= first * 1.1 }
}

interface Latency {
  layout: string
  perSecond: number
  reached: number
  p50: number
  p99: number
}
