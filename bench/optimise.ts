import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findFaults } from '../core/optimise/check.ts'
import type { Solution } from '../core/optimise/problem.ts'
import { solve } from '../core/optimise/solve.ts'
import { warmUp } from '../core/optimise/warm-up.ts'
import { type BenchInstance, readInstance } from './instances.ts'
import { keepResults, printHeader } from './measure.ts'

/*
 * How close the optimiser comes to the best known solutions of published instances, in how much time. The instances are
 * not part of this project: docs/decisions/0013-optimiser.md says where to find them. Every solution is checked by code
 * that shares nothing with the solver. A budget is processor time of this thread, so that the result does not depend on
 * other load: at a load of 11 on two cores, a second of wall time had a quarter of the attempts.
 *
 * Warm, all runs share this process, as they do in the pool of the server; `--cold` starts a process for each and takes
 * the shorter budgets only. A word without dashes chooses the instances whose names contain it.
 */

const seeds = [1, 2, 3]

/** The search time for one driver and for a fleet. */
const budgetsMs = { driver: [200, 1000], fleet: [1000, 5000] }

/** The goal: at most this many percent above the best known, on average and for each. */
const goals: { from: number; to: number; isFleet: boolean; milliseconds: number; mean: number; each: number }[] = [
  { from: 0, to: 40, isFleet: false, milliseconds: 200, mean: 0, each: 0.5 },
  { from: 60, to: 100, isFleet: false, milliseconds: 200, mean: 0.05, each: 1 },
  { from: 150, to: 150, isFleet: false, milliseconds: 1000, mean: 0.2, each: 2 },
  { from: 100, to: 100, isFleet: true, milliseconds: 1000, mean: 0.5, each: 2 },
  { from: 100, to: 100, isFleet: true, milliseconds: 5000, mean: 0.3, each: 2 },
]

interface Result {
  milliseconds: number
  seed: number
  iterations: number
  travel: number
  gapPercent: number | undefined
  lateSeconds: number
  unserved: number
  faults: string[]
}

interface Run extends Result {
  instance: BenchInstance
}

export async function run(args: string[]) {
  const folder = readOption(args, '--instances') ?? resolve(import.meta.dirname, '../../shared/instances')
  const isValue = (index: number) => ['--instances', '--only'].includes(args[index - 1] ?? '')
  const wanted = args.filter((arg, index) => !arg.startsWith('--') && !isValue(index))
  const instances = await readInstances(folder, wanted)
  const only = readOption(args, '--only')
  if (only) return console.log(JSON.stringify(runOne(instances[0]!, ...(JSON.parse(only) as [number, number]))))

  const isCold = args.includes('--cold')
  printHeader(`Optimiser, ${instances.length} published instances, ${isCold ? 'cold' : 'warm'}`, seeds.length)
  if (!isCold) warmUp()
  const runs = instances.flatMap((instance) => (isCold ? runCold(instance, folder) : runWarm(instance)))
  const groups = summarise(runs)
  printGroups(groups)
  printValidity(runs)
  const name = isCold ? 'optimise-cold' : 'optimise'
  if (args.includes('--keep'))
    await keepResults(
      name,
      Object.groupBy(groups, ({ kind }) => kind),
    )
  if (runs.some(({ faults }) => faults.length > 0)) process.exitCode = 1
}

const readOption = (args: string[], name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)

async function readInstances(folder: string, wanted: string[]): Promise<BenchInstance[]> {
  const files = (await readdir(folder)).filter(
    (file) => wanted.length === 0 || wanted.some((word) => file.includes(word)),
  )
  const read = await Promise.all(
    files.sort().map(async (file) => readInstance(file, await readFile(join(folder, file), 'utf8'))),
  )
  return read.filter((instance) => instance !== undefined)
}

const budgetsOf = ({ isFleet }: BenchInstance) => (isFleet ? budgetsMs.fleet : budgetsMs.driver)

const runWarm = (instance: BenchInstance): Run[] =>
  budgetsOf(instance).flatMap((milliseconds) =>
    seeds.map((seed) => show(instance, runOne(instance, milliseconds, seed))),
  )

function runCold(instance: BenchInstance, folder: string): Run[] {
  const [milliseconds] = budgetsOf(instance)
  const main = join(import.meta.dirname, 'main.ts')
  return seeds.map((seed) => {
    const only = ['--instances', folder, '--only', JSON.stringify([milliseconds, seed])]
    const answer = execFileSync(process.execPath, [main, 'optimise', `${instance.name}.`, ...only], {
      encoding: 'utf8',
    })
    return show(instance, JSON.parse(answer))
  })
}

function runOne(instance: BenchInstance, milliseconds: number, seed: number): Result {
  const solution = solve(instance.problem, { seed, milliseconds, now: computedMs })
  return { milliseconds, seed, iterations: solution.iterations, ...judge(instance, solution) }
}

/** On a free core this is wall time; on a busy one it is less. */
function computedMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function show(instance: BenchInstance, result: Result): Run {
  printRun(instance, result)
  return { instance, ...result }
}

function judge({ problem, best }: BenchInstance, solution: Solution) {
  const late = solution.routes.flatMap(({ visits }) => visits.map(({ lateSeconds }) => lateSeconds))
  const over = solution.routes.map(({ finish }, index) => Math.max(0, finish - problem.vehicles[index]!.shiftEnd))
  return {
    travel: solution.cost.travel,
    gapPercent: best === undefined ? undefined : (solution.cost.travel / best - 1) * 100,
    lateSeconds: [...late, ...over].reduce((sum, seconds) => sum + seconds, 0),
    unserved: solution.unserved.length,
    faults: findFaults(problem, solution),
  }
}

function printRun({ name }: BenchInstance, result: Result) {
  const { milliseconds, seed, iterations, travel, gapPercent, lateSeconds, unserved, faults } = result
  const gap = gapPercent === undefined ? `${travel}` : `${gapPercent.toFixed(3)} %`
  const troubles = [lateSeconds > 0 ? `late ${lateSeconds}` : '', unserved > 0 ? `unserved ${unserved}` : '', ...faults]
  const line = [name.padEnd(16), `${milliseconds} ms`.padStart(8), `seed ${seed}`, gap.padStart(9), `${iterations} ×`]
  console.error([...line, ...troubles.filter(Boolean)].join('  '))
}

/** Saved results: one part for one driver, one for a team, so that they can be measured separately. */
export interface Group {
  kind: string
  stops: number
  milliseconds: number
  runs: number
  meanGapPercent: number
  maxGapPercent: number
  optimal: number
  feasible: number
  goal: string
  isReached: boolean
}

function summarise(runs: Run[]): Group[] {
  const measured = runs.filter((run) => run.gapPercent !== undefined)
  const keyOf = ({ instance, milliseconds }: Run) =>
    JSON.stringify([instance.isFleet, roundSize(instance.problem.stops.length), milliseconds])
  const groups = Map.groupBy(measured, keyOf)
  return [...groups].map(([key, members]) => {
    const [isFleet, stops, milliseconds] = JSON.parse(key) as [boolean, number, number]
    // A short tour that is late is worth nothing: it counts as infeasible, not in the gaps.
    const gaps = members.filter(({ lateSeconds }) => lateSeconds <= tolerance).map(({ gapPercent }) => gapPercent!)
    const meanGapPercent = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
    const maxGapPercent = Math.max(...gaps)
    const goal = findGoal(isFleet, stops, milliseconds)
    return {
      kind: isFleet ? 'team' : 'one driver',
      stops,
      milliseconds,
      runs: members.length,
      meanGapPercent,
      maxGapPercent,
      optimal: gaps.filter((gap) => gap < 0.0005).length,
      feasible: gaps.length,
      goal: goal ? `≤ ${goal.mean} / ${goal.each} %` : '',
      // Compared with the three decimals that are shown, because published results are rounded too.
      isReached: !goal || (meanGapPercent < goal.mean + 0.0005 && maxGapPercent < goal.each + 0.0005),
    }
  })
}

/** Because of rounding, one published tour is itself late by a few ten-thousandths. */
const tolerance = 10

const roundSize = (stops: number) =>
  stops <= 20 ? 20 : Math.round(stops / 20) * 20 === 160 ? 150 : Math.round(stops / 20) * 20

const findGoal = (isFleet: boolean, stops: number, milliseconds: number) =>
  goals.find(
    (row) => row.isFleet === isFleet && row.milliseconds === milliseconds && row.from <= stops && stops <= row.to,
  )

function printGroups(groups: Group[]) {
  console.log('\n| | stops | budget | mean gap | largest gap | optimal | on time | goal, mean / each |')
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|')
  for (const { kind, stops, milliseconds, runs, meanGapPercent, maxGapPercent, optimal, feasible, goal } of groups) {
    const gaps = `${meanGapPercent.toFixed(3)} % | ${maxGapPercent.toFixed(3)} %`
    console.log(
      `| ${kind} | ${stops} | ${milliseconds} ms | ${gaps} | ${optimal}/${runs} | ${feasible}/${runs} | ${goal} |`,
    )
  }
}

function printValidity(runs: Run[]) {
  const faulty = runs.filter(({ faults }) => faults.length > 0)
  const late = runs.filter(({ lateSeconds }) => lateSeconds > tolerance)
  const unserved = runs.filter((run) => run.unserved > 0)
  console.log(
    `\n${runs.length} answers, ${faulty.length} with faults, ${late.length} late, ${unserved.length} incomplete`,
  )
}
