import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { Refusal } from '../contract/errors.ts'
import { isUnavailable } from '../server/db/faults.ts'

/** A mistyped command, explained in one sentence. */
export class UsageError extends Error {}

/** What was typed: arguments by position, options by name. */
export interface Given {
  arguments: string[]
  options: Record<string, string | undefined>
  /** The options without a value that were given. */
  flags: ReadonlySet<string>
}

interface Option {
  /** The placeholder of the value in the help: `ID`. Without it the option is a flag. */
  value?: string
  means: string
}

export interface Verb {
  does: string
  /** The names of the arguments after the verb. */
  takes?: string[]
  options?: Record<string, Option>
  /** The last part of the help. */
  more?: string
  /** Returns the output. */
  run(given: Given): Promise<string>
}

/** Commands about one noun: `waybill keys list`. */
export interface Noun {
  about: string
  /** What runs if no verb is named; the help otherwise. */
  byDefault?: string
  verbs: Record<string, Verb>
}

export const wantsHelp = (text: string) => text === '--help' || text === '-h'

/** Runs `waybill <noun> <verb> …`. */
export async function runNoun(name: string, noun: Noun, args: string[]): Promise<void> {
  const [verbName = noun.byDefault ?? '--help', ...rest] = args
  if (verbName === 'help' && rest.length > 0) return runNoun(name, noun, [...rest, '--help'])
  if (verbName === 'help' || wantsHelp(verbName)) return console.log(nounHelp(name, noun))
  const verb = Object.hasOwn(noun.verbs, verbName) ? noun.verbs[verbName] : undefined
  if (verb) return runVerb(`${name} ${verbName}`, verb, rest)
  fail(new UsageError(`Unknown command "waybill ${name} ${verbName}"; see "waybill ${name} --help"`))
}

/** Runs `waybill <name> …`. An error is one sentence, not a stack; the exit code says which kind. */
export async function runVerb(name: string, verb: Verb, args: string[]): Promise<void> {
  if (args.some(wantsHelp)) return console.log(verbHelp(name, verb))
  try {
    console.log(await verb.run(parse(name, verb, args)))
  } catch (error) {
    fail(error)
  }
}

export function fail(error: unknown) {
  console.error(sentencesOf(error))
  process.exitCode = error instanceof UsageError ? 2 : 1
}

function parse(name: string, { takes = [], options = {} }: Verb, args: string[]): Given {
  const config = Object.fromEntries(
    Object.entries(options).map(([option, { value }]) => [option, { type: value ? 'string' : 'boolean' }] as const),
  )
  const { values, positionals } = parseOrExplain(name, args, config satisfies ParseArgsOptionsConfig)
  const missing = takes[positionals.length]
  if (missing) throw new UsageError(`${missing} is missing; see "waybill ${name} --help"`)
  if (positionals.length > takes.length)
    throw new UsageError(`"${positionals[takes.length]}" is unexpected; put quotes around text with spaces`)
  const flags = new Set(Object.keys(values).filter((option) => values[option] === true))
  return { arguments: positionals, options: values as Given['options'], flags }
}

function parseOrExplain(name: string, args: string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    const [first] = (error as Error).message.split('. ')
    throw new UsageError(`${first}; see "waybill ${name} --help"`)
  }
}

function nounHelp(name: string, { about, verbs }: Noun): string {
  const lines = Object.entries(verbs).map(([verb, { takes = [], does }]) => [[verb, ...takes].join(' '), does])
  return `waybill ${name}: ${about}\n\n${columns(lines)}\n\n"waybill ${name} <command> --help" shows the options of a command.`
}

function verbHelp(name: string, { does, takes = [], options = {}, more }: Verb): string {
  const lines = Object.entries(options).map(([option, { value, means }]) => [
    value ? `--${option} ${value}` : `--${option}`,
    means,
  ])
  const usage = ['waybill', name, ...takes, ...(lines.length > 0 ? ['[options]'] : [])].join(' ')
  return [`Usage: ${usage}`, does, ...(lines.length > 0 ? [columns(lines)] : []), ...(more ? [more] : [])].join('\n\n')
}

/** Rows with aligned columns; untrusted text cannot control the terminal. */
export function columns(rows: string[][]): string {
  const safe = rows.map((row) => row.map((cell) => cell.replace(/\p{C}/gu, '?')))
  const widths = (safe[0] ?? []).map((_, index) => Math.max(...safe.map((row) => row[index]?.length ?? 0)))
  return safe
    .map((row) => `  ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('   ')}`.trimEnd())
    .join('\n')
}

function sentencesOf(error: unknown): string {
  if (error instanceof Refusal && error.details) return error.details.map(({ message }) => sentence(message)).join('\n')
  const { message, code } = error as Error & { code?: string }
  if (isUnavailable(error)) return sentence(`The database cannot be reached: ${message || code}`)
  return sentence(message || String(error))
}

const sentence = (text: string) => (/[.:!?]$/.test(text) ? text : `${text}.`)
