import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { circumstances, keepResults } from '../../bench/measure.ts'
import { amountOf, type ProofName, proofs, type Result, type Told } from './proofs.ts'

/*
 * The full form of every proof, one part after the other; a part that fails does not end the run. Arguments are names of
 * parts (default: all). --record writes the numbers into docs/reliability.md, --seed=4711 repeats a run. WAYBILL_NIGHTLY=10
 * proves ten times as much.
 */

process.chdir(resolve(import.meta.dirname, '../..'))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { record: { type: 'boolean' }, seed: { type: 'string' } },
})
const times = Number(process.env['WAYBILL_NIGHTLY'] || 1)
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 30) + 1)
const names = positionals.length > 0 ? (positionals as ProofName[]) : (Object.keys(proofs) as ProofName[])
for (const name of names)
  if (!(name in proofs)) throw new Error(`There is no part "${name}": there are ${Object.keys(proofs).join(', ')}`)

const say = (text: string) => process.stdout.write(`${text}\n`)

const folder = await mkdtemp(join(tmpdir(), 'waybill-nightly-'))
const file = join(folder, 'numbers')
let child: ReturnType<typeof spawn> | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    child?.kill(signal)
    process.exit(1)
  })

async function run(name: ProofName): Promise<Result> {
  const { files, only, isAlone } = { only: undefined, isAlone: false, ...proofs[name] }
  const flags = [
    `--test-timeout=${Math.max(1, times) * 30 * 60_000}`,
    ...(only ? [`--test-name-pattern=${only}`] : []),
    ...(isAlone ? ['--test-concurrency=1'] : []),
  ]
  const begun = performance.now()
  child = spawn(process.execPath, ['server/test/run.ts', ...flags, ...files], {
    stdio: 'inherit',
    env: {
      ...process.env,
      WAYBILL_NIGHTLY: String(times),
      WAYBILL_SEED: seed,
      WAYBILL_NIGHTLY_NUMBERS: `${file}-${name}`,
    },
  })
  const [code] = await once(child, 'exit')
  return {
    hasPassed: code === 0,
    seconds: Math.round((performance.now() - begun) / 1_000),
    seed: Number(seed),
    numbers: addUp(`${file}-${name}`),
  }
}

/** What the tests of one part said, added up. */
function addUp(path: string): Record<string, number> {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  const sums: Record<string, number> = {}
  for (const { numbers } of lines.map((line) => JSON.parse(line) as Told))
    for (const [what, count] of Object.entries(numbers)) {
      const known = sums[what] ?? 0
      sums[what] = what.startsWith('longest') ? Math.max(known, count) : known + count
    }
  return sums
}

const { machine, commit, date, load } = circumstances()
say(`${machine}\ncommit ${commit}, ${date}, load ${load}, seed ${seed}`)
const results: Partial<Record<ProofName, Result>> = {}
for (const [at, name] of names.entries()) {
  const amounts = Object.entries(proofs[name].amounts).map(([what, amount]) => `${what}: ${amountOf(amount, times)}`)
  say(`\n=== ${at + 1} of ${names.length}: ${name} (${amounts.join(', ')})\n`)
  const result = await run(name)
  results[name] = result
  say(`=== ${name}: ${result.hasPassed ? 'passed' : 'FAILED'} after ${result.seconds} s`)
  // A night that is cut short has not been for nothing.
  if (values.record) await keepResults('nightly', { [name]: result })
}
await rm(folder, { recursive: true })
if (values.record)
  await once(
    spawn(process.execPath, ['server/test/run.ts', '--update', 'server/test/docs.test.ts'], { stdio: 'ignore' }),
    'exit',
  )

const all = Object.entries(results)
const width = Math.max(...all.map(([name]) => name.length))
say(`\n${machine}\ncommit ${commit}, ${date}, load ${load}, seed ${seed}\n`)
for (const [name, { hasPassed, seconds, numbers }] of all) {
  const counted = Object.entries(numbers).map(([what, count]) => `${what}: ${count.toLocaleString('en-US')}`)
  const row = [name.padEnd(width), hasPassed ? 'passed' : 'FAILED', `${seconds} s`.padStart(6), counted.join(', ')]
  say(row.join('  '))
}
const failed = all.filter(([, { hasPassed }]) => !hasPassed).map(([name]) => name)
const minutes = all.reduce((sum, [, { seconds }]) => sum + seconds, 0) / 60
say(`\n${all.length} parts in ${minutes.toFixed(0)} minutes, ${failed.length} failed`)
if (failed.length > 0)
  say(`Repeat them with: npm run test:nightly -- --seed=${seed} ${failed.map((name) => `'${name}'`).join(' ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
