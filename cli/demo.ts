import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Given, UsageError, type Verb } from './command.ts'
import type { Host } from './demo/host.ts'
import type { Plan } from './demo/run.ts'
import { tallyLine } from './demo/screen.ts'

export const demo: Verb = {
  does: 'Simulates a working day in Bucharest, with drivers, tasks and webhooks, faster than real time.',
  options: {
    port: { value: 'NUMBER', means: 'Port of the demo server (default: 4000)' },
    url: { value: 'URL', means: 'Use this server instead of starting one; needs --key' },
    key: { value: 'KEY', means: 'API key of the organisation to fill, which must be empty' },
    force: { means: 'Fill the organisation even if it is not empty' },
    seed: { value: 'NUMBER', means: 'Same number, same tasks; another number, another day (default: 1)' },
    speed: { value: 'TIMES', means: 'How many times faster than real time; 60 is an hour per minute (default: 30)' },
    drivers: { value: 'NUMBER', means: 'How many drivers (default: 25)' },
    tasks: { value: 'NUMBER', means: 'How many tasks the day starts with (default: 300)' },
    still: { means: 'Fill in the morning, then stop the clock' },
    duration: { value: 'SECONDS', means: 'Stop after this long (default: on Ctrl-C)' },
  },
  more:
    'Without --url it starts its own server with an empty data folder, and removes both at the end.\n' +
    'It never touches the data of another installation unless you name it with --url.',
  async run(given) {
    const plan = readPlan(given)
    const open = readHost(given)
    // Loaded only when needed, so that a typo is reported without waiting for the server.
    const { runDemo } = await import('./demo/run.ts')
    const { signal, forget } = whenStopped()
    try {
      const host = await open()
      try {
        const counts = await runDemo(host, plan, signal).catch((error) => {
          if (signal.aborted) return undefined
          throw explain(error, host)
        })
        return counts ? `The demo is over: ${tallyLine(counts, undefined)}.` : 'The demo is over.'
      } finally {
        await host.stop()
      }
    } finally {
      forget()
    }
  },
}

function readPlan({ options, flags }: Given): Plan {
  const whole = (name: string, usual: number, least: number, most: number) => {
    const text = options[name] ?? String(usual)
    if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
    throw new UsageError(`--${name} must be a whole number from ${least} to ${most}`)
  }
  return {
    seed: whole('seed', 1, 0, 999_999),
    speed: whole('speed', 30, 1, 3_600),
    drivers: whole('drivers', 25, 1, 200),
    tasks: whole('tasks', 300, 5, 1_000),
    isStill: flags.has('still'),
    isForced: flags.has('force'),
    durationSeconds: options['duration'] === undefined ? undefined : whole('duration', 0, 0, 86_400),
  }
}

/** Which server: the one named, or a new one, started when needed. */
function readHost({ options, flags }: Given): () => Promise<Host> {
  const { url, key, port = '4000' } = options
  if (url === undefined) {
    if (key !== undefined) throw new UsageError('--key needs --url')
    if (flags.has('force')) throw new UsageError('--force needs --url')
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
      throw new UsageError('--port must be a whole number from 0 to 65535')
    return () => startOwn(Number(port))
  }
  if (key === undefined) throw new UsageError('--url needs --key')
  if (options['port'] !== undefined) throw new UsageError('--port cannot be used with --url')
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new UsageError('--url must be an http or https address')
  return async () => ({ url, key, person: undefined, stop: async () => {} })
}

async function startOwn(port: number): Promise<Host> {
  const { startHost } = await import('./demo/host.ts')
  try {
    await requireFree(port)
    return await startHost(port)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Error(`Port ${port} is in use; choose another with --port, or stop the program that uses it`)
  }
}

/** Checked first, before creating a database for nothing. */
async function requireFree(port: number) {
  const probe = createServer().listen(port, '127.0.0.1')
  await once(probe, 'listening')
  await once(probe.close(), 'close')
}

/** Fetch only says that it failed. */
const explain = (error: unknown, { url }: Host) =>
  error instanceof TypeError && error.message === 'fetch failed'
    ? new Error(`The server at ${url} does not answer`, { cause: error })
    : error

/** Ctrl-C and similar signals, or a launcher that has exited. */
function whenStopped() {
  const controller = new AbortController()
  const stop = () => controller.abort()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const
  for (const name of signals) process.on(name as 'SIGINT', stop)
  return {
    signal: controller.signal,
    forget: () => {
      for (const name of signals) process.off(name, stop)
    },
  }
}
