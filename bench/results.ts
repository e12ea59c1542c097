import { type Comparison, median, readKept } from './measure.ts'

/* The saved results, and what follows from them. */

export const kept = {
  api: readKept('api'),
  erasure: readKept('erasure'),
  webhooks: readKept('webhooks'),
  sync: readKept('sync'),
  positions: readKept('positions'),
  growth: readKept('growth'),
  memory: readKept('memory'),
  optimise: readKept('optimise'),
  peers: readKept('peers'),
}
export type Bench = keyof typeof kept

export const found = <Results>(bench: Bench, part: string) => kept[bench][part]?.results as Results | undefined
export const comparisonOf = (bench: Bench, part: string) => found<Comparison>(bench, part)

export interface Ratio {
  value: number
  lowest: number
  highest: number
}

/** Within each round; the median of the rounds, with the lowest and the highest. */
export function ratioOf(
  { values, reference }: Pick<Comparison, 'values' | 'reference'>,
  name: string,
): Ratio | undefined {
  const [ours, limit] = [values[name], values[reference]]
  if (!ours || !limit) return undefined
  const ratios = ours.map((value, round) => value / limit[round]!)
  return { value: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) }
}

export const times = ({ value, lowest, highest }: Ratio) =>
  `${value.toFixed(2)} × (${lowest.toFixed(2)} to ${highest.toFixed(2)})`

export const thousands = (value: number) => Math.round(value).toLocaleString('en-US')

export interface Memory {
  title: string
  samples: { done: number; megabytes: number }[]
}
export const memoryOf = (part: string) => found<Memory>('memory', part)

/** What each request costs with a million tasks, compared with ten thousand. */
export function growthOf(): { title: string; cost: Ratio; small: number; large: number }[] | undefined {
  const measured = found<Record<string, Comparison>>('growth', 'requests')
  if (!measured) return undefined
  return Object.values(measured).flatMap(({ title, values }) => {
    const cost = ratioOf({ values, reference: 'a million' }, 'ten thousand')
    const [small, large] = [values['ten thousand'], values['a million']]
    return cost && small && large ? [{ title, cost, small: median(small), large: median(large) }] : []
  })
}
