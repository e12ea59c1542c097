import { type Logger, pino } from 'pino'

export type Log = Logger

/** JSON lines for machines, one short line each for a person at a terminal. */
export function createLog(level: string, stream: NodeJS.WriteStream = process.stdout): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: presentError } }
  return stream.isTTY ? pino(options, { write: (line: string) => stream.write(readable(line)) }) : pino(options, stream)
}

/** The error's own fields. What libraries attach, such as a connection with its password, stays out of logs. */
function presentError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return { type: name, message, code, stack, ...(cause !== undefined && { cause: presentError(cause) }) }
}

const colours: Record<number, string> = { 40: '\x1b[33m', 50: '\x1b[31m', 60: '\x1b[31m' }

function readable(line: string): string {
  const { level, time, msg, err, ...facts } = JSON.parse(line)
  const details = Object.entries(facts).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const colour = colours[level] ?? ''
  const text = [time.slice(11, 19), msg, ...details].join('  ')
  return `${colour}${text}${colour && '\x1b[0m'}\n${err?.stack ? `${err.stack}\n` : ''}`
}
