import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawCharts } from '../../bench/charts.ts'
import { readKept } from '../../bench/measure.ts'
import { performanceTables } from '../../bench/report.ts'
import { auditKinds } from '../../contract/audit.ts'
import { errors, fieldRules } from '../../contract/errors.ts'
import { longest, mostInstructions, mostJson, mostOfATask, taskHolds } from '../../contract/limits.ts'
import { type Operation, operations } from '../../contract/operations.ts'
import { scopes } from '../../contract/scopes.ts'
import { delegatedActs, delegatedMoves, type Rule } from '../../core/delegation.ts'
import { type Setting, settings } from '../../core/settings.ts'
import { moves, type StatusId, statuses } from '../../core/task-status.ts'
import { triggers } from '../../core/triggers.ts'
import { shortcuts } from '../../web/console/dispatch/keyboard/shortcuts.ts'
import { sayIn } from '../../web/test/words.ts'
import { variables } from '../config.ts'
import { allowances } from '../http/limits/allowances.ts'
import { amountOf, proofs, type Result } from './proofs.ts'

/** Set by `npm run update`: generated texts are written instead of compared. */
export const isUpdating = process.env['WAYBILL_UPDATE'] === '1'

const table = (head: string[], rows: (string | number)[][]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const code = (text: string) => `\`${text}\``
const statusName = (id: StatusId | 'same' | 'gone') =>
  id === 'same' ? 'unchanged' : id === 'gone' ? id : `${id} ${statuses[id].name}`

const tellRule = (rule: Rule) =>
  rule === 'mirrored' ? rule : rule.startsWith('can') ? `mirrored, if ${code(rule)}` : `refused: ${code(rule)}`

function settingType({ type, of, choices, most, nullable }: Setting): string {
  const range = most === undefined ? '' : `, 0 to ${most}`
  return `${choices?.map(code).join(', ') ?? (of ? `id of a ${of}` : type)}${range}${nullable ? ', or null' : ''}`
}

const mayCall = (scope: string) =>
  Object.values<Operation>(operations).flatMap((operation) =>
    operation.scope === scope ? [code(`${operation.method} ${operation.path.replace('/api/v1', '')}`)] : [],
  )

/** What is installed beside Waybill on a server, by licence. */
function licences(): string[][] {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'))
  const running = Object.entries<{ license?: string; dev?: boolean }>(lock.packages).filter(
    ([path, { dev }]) => path && !dev,
  )
  const byLicence = Map.groupBy(running, ([, { license }]) => license ?? 'see its package')
  const names = (entries: [string, unknown][]) =>
    [...new Set(entries.map(([path]) => code(path.split('node_modules/').at(-1) as string)))].sort().join(', ')
  return [...byLicence]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([licence, all]) => [licence, names(all)])
}

/** The charts whose names match, as Markdown. */
const pictures = (which: RegExp) =>
  Object.keys(drawCharts())
    .filter((file) => which.test(file))
    .map((file) => `![${file.replace('.svg', '')}](performance/${file})`)
    .join('\n') || 'Not measured yet.'

const count = (number: number) => number.toLocaleString('en')

/** What one task can hold, and who meets the bound. */
const bounds: [what: string, most: string][] = [
  ['notes', count(taskHolds.notes)],
  ['photos', count(taskHolds.photos)],
  ['signatures', count(taskHolds.signatures)],
  ['scans', count(taskHolds.scans)],
  ['the texts of all of these together', `${count(taskHolds.noteCharacters)} characters`],
  ['answers to its form (`mobileTaskForm`)', `${count(taskHolds.answerCharacters)} characters`],
  ['entries of the timeline, for what drivers add', count(taskHolds.timelineEntries)],
  ['`customFields`', `${count(mostOfATask)}, ${mostJson / 1_024} kB of JSON`],
  ['`inventory`', `${mostJson / 1_024} kB of JSON`],
  ['`dependencies`', count(mostOfATask)],
  [
    'instructions of the customer',
    `${count(mostInstructions)}, and ${count(longest.text)} characters of \`customerNotes\``,
  ],
  ['feedback', '1'],
  ['payments', 'no bound'],
]

const amountsAt = (amounts: Record<string, Parameters<typeof amountOf>[0]>, nights: number) =>
  Object.entries(amounts)
    .map(([what, amount]) => `${what}: ${amountOf(amount, nights).toLocaleString('en-US')}`)
    .join('<br>')

/** The last recorded run of each part. */
function nightlyRun(): string {
  const kept = Object.entries(readKept('nightly'))
  const rows = kept.map(([name, { commit, date, machine, results }]) => {
    const { hasPassed, seconds, seed, numbers } = results as Result
    const counted = Object.entries(numbers).map(([what, count]) => `${what}: ${count.toLocaleString('en-US')}`)
    return {
      machine,
      row: [name, hasPassed ? 'passed' : '**failed**', counted.join('<br>'), seconds, seed, commit, date],
    }
  })
  const machines = [...new Set(rows.map(({ machine }) => machine))]
  const failed = kept.filter(([, { results }]) => !(results as Result).hasPassed)
  const minutes = kept.reduce((sum, [, { results }]) => sum + (results as Result).seconds, 0) / 60
  const head = ['part', 'result', 'what was done', 'seconds', 'seed', 'commit', 'when']
  const made = table(
    head,
    rows.map(({ row }) => row),
  )
  if (kept.length === 0) return 'No run of this version was recorded.'
  return `${kept.length} parts, ${minutes.toFixed(0)} minutes, ${failed.length} failed. ${machines.join('; ')}.\n\n${made}`
}

/** The generated tables of the docs, by the name in their markers. */
export const tables: Record<string, string> = {
  rules: table(
    ['rule', 'what is wrong'],
    Object.entries(fieldRules).map(([name, meaning]) => [code(name), meaning]),
  ),
  errors: table(
    ['code', 'status', 'means'],
    Object.entries(errors).map(([name, [status, message]]) => [code(name), status, message]),
  ),
  triggers: table(
    ['value', 'name', 'fires when'],
    Object.entries(triggers).map(([name, { id, meaning }]) => [id, code(name), meaning]),
  ),
  statuses: table(
    ['value', 'name', 'means'],
    Object.entries(statuses).map(([id, { name, meaning }]) => [id, name, meaning]),
  ),
  moves: table(
    ['move', 'from', 'to', 'fires'],
    Object.entries(moves).map(([name, { from, to, fires }]) => [
      name,
      from.map(statusName).join(', ') || 'new',
      statusName(to),
      fires.map(code).join(', '),
    ]),
  ),
  bounds: table(
    ['a task can hold', 'at most'],
    bounds.map(([what, most]) => [what, most]),
  ),
  allowances: table(
    ['of', 'what', 'at once', 'then', 'normal use'],
    Object.values(allowances).map(({ per, what, atOnce, perSecond, normal }) => [
      per === 'link' ? 'a public link' : "a driver's device",
      what,
      count(atOnce),
      perSecond < 1 ? `one in ${1 / perSecond} s` : `${perSecond} a second`,
      normal,
    ]),
  ),
  configuration: table(
    ['variable', 'default', 'means'],
    Object.entries(variables).map(([name, { default: fallback, meaning }]) => [
      code(name),
      fallback && code(fallback),
      meaning,
    ]),
  ),
  settings: table(
    ['setting', 'type', 'default', 'effect'],
    Object.entries<Setting>(settings).map(([name, setting]) => [
      code(name),
      settingType(setting),
      code(JSON.stringify(setting.default)),
      setting.effect,
    ]),
  ),
  delegation: table(
    ['what', 'the owner', 'the fulfiller'],
    Object.entries({ ...delegatedMoves, ...delegatedActs }).map(([name, { owner, fulfiller }]) => [
      code(name),
      ...[owner, fulfiller].map(tellRule),
    ]),
  ),
  scopes: table(
    ['scope', 'lets a key call'],
    scopes.map((scope) => [code(scope), mayCall(scope).join('<br>')]),
  ),
  operations: table(
    ['operation', 'does', 'who'],
    Object.values<Operation>(operations).map(({ method, path, summary, scope, access }) => [
      code(`${method} ${path}`),
      summary,
      scope ? code(scope) : `${access}`,
    ]),
  ),
  audit: table(
    ['kind', 'about', 'means'],
    Object.entries(auditKinds).map(([kind, { about, means }]) => [code(kind), about, means]),
  ),
  proofs: table(
    ['part', 'in `npm test`', 'by night', 'what it proves'],
    Object.entries(proofs).map(([name, { amounts, proves }]) => [
      name,
      amountsAt(amounts, 0),
      amountsAt(amounts, 1),
      proves,
    ]),
  ),
  nightly: nightlyRun(),
  licences: table(['licence', 'packages'], licences()),
  shortcuts: table(
    ['keys', 'what they do'],
    shortcuts
      .filter(({ shown }) => shown?.length !== 0)
      .map(({ keys, shown, word }) => [(shown ?? keys).map(code).join(' '), sayIn('en')(word)]),
  ),
  speedPictures: pictures(/^(?!growth|memory|peers)/),
  peersPictures: pictures(/^peers/),
  growthPictures: pictures(/^growth/),
  memoryPictures: pictures(/^memory/),
  ...Object.fromEntries(Object.entries(performanceTables).map(([name, { head, rows }]) => [name, table(head, rows)])),
}
