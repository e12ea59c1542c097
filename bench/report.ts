import { goals } from './goals.ts'
import type { Kept } from './measure.ts'
import type { Group } from './optimise.ts'
import { type Bench, found, growthOf, kept, thousands, times } from './results.ts'

/* The tables of docs/performance.md, made from the saved results. `npm run update` writes them; a test compares. */

export interface PerformanceTable {
  head: string[]
  rows: string[][]
}

const circumstancesOf = ([bench, part]: [Bench, string]) => {
  const { commit, date } = (kept[bench] as Kept)[part] ?? {}
  return commit && date ? `${commit}, ${date.slice(0, 10)}` : ''
}

/** By the name between their markers in the page. */
export const performanceTables: Record<string, PerformanceTable> = {
  goals: {
    head: ['what', 'against', 'goal', 'found', '', 'measured at'],
    rows: goals.map(({ what, against, goal, from, find }) => {
      const finding = find()
      const mark = finding && (finding.isReached ? 'reached' : '**not reached**')
      return [
        what,
        against,
        goal,
        finding?.text ?? 'not measured yet',
        mark ?? '',
        finding ? circumstancesOf(from) : '',
      ]
    }),
  },
  growth: {
    head: ['request', '10 thousand: requests/s', '1 million: requests/s', 'cost'],
    rows: (growthOf() ?? []).map(({ title, small, large, cost }) => [
      title,
      thousands(small),
      thousands(large),
      times(cost),
    ]),
  },
  planning: {
    head: ['', 'stops', 'search time', 'mean gap', 'largest gap', 'best known found', 'on time', 'goal', ''],
    rows: ['one driver', 'team'].flatMap((kind) =>
      (found<Group[]>('optimise', kind) ?? []).map((group) => [
        kind,
        `${group.stops}`,
        `${group.milliseconds / 1000} s`,
        `${group.meanGapPercent.toFixed(3)} %`,
        `${group.maxGapPercent.toFixed(2)} %`,
        `${group.optimal} of ${group.runs}`,
        `${group.feasible} of ${group.runs}`,
        group.goal,
        group.goal && (group.isReached ? 'reached' : '**not reached**'),
      ]),
    ),
  },
  machines: {
    head: ['bench', 'part', 'machine', 'commit', 'date', 'load before'],
    rows: (Object.keys(kept) as Bench[]).flatMap((bench) =>
      Object.entries(kept[bench]).map(([part, { machine, commit, date, load }]) => [
        bench,
        part,
        machine,
        commit,
        date,
        load,
      ]),
    ),
  },
}
