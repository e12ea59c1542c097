import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { thriftyEnvironment, thriftyFlags } from '../bin/thrift.js'
import type { Job, Lists, Outcome } from './load.ts'
import type { Arrival, Question, Reply } from './receiver.ts'

/* Each part of a measurement runs in its own process, as in production. */

const checkout = join(import.meta.dirname, '..')

export interface Running {
  url: string
  pid: number
  stop(): Promise<void>
}

/** Waybill itself, on this database. With WAYBILL_BENCH_PROFILE it leaves a .cpuprofile in that folder. */
export async function startWaybill(
  role: 'all' | 'api' | 'worker',
  databaseUrl: string,
  key: string,
  environment: Record<string, string> = {},
): Promise<Running> {
  const { WAYBILL_BENCH_PROFILE: profile, PATH } = process.env
  const profiling = profile
    ? ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${role}-${Date.now()}.cpuprofile`]
    : []
  return startService('Waybill', [...thriftyFlags, ...profiling, join(checkout, 'cli/waybill.ts'), 'serve'], {
    ...thriftyEnvironment,
    PATH,
    PORT: '0',
    DATABASE_URL: databaseUrl,
    WAYBILL_ROLE: role,
    WAYBILL_API_KEY: key,
    WAYBILL_LOG: 'warn',
    ...environment,
  })
}

/** A service in its own Node, which says where it is ready. It ends with us. */
export async function startService(name: string, args: string[], env: NodeJS.ProcessEnv): Promise<Running> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  const exited = once(child, 'exit')
  const end = () => child.kill()
  process.once('exit', end)
  void exited.then(() => process.off('exit', end))
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
      const address = /ready at (\S+)/.exec(said)?.[1]
      if (address) resolve(address)
      else if (said.includes('"level"')) process.stderr.write(chunk)
    })
    exited.then(() => reject(new Error(`${name} did not start: ${said}`)))
  })
  return {
    url,
    pid: child.pid as number,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

export async function startReceiver(ports: number) {
  const child = fork(join(import.meta.dirname, 'receiver.ts'), [String(ports)])
  const ask = (question: Question) => child.send(question)
  const hear = async <Kind extends Reply>() => ((await once(child, 'message')) as [Kind])[0]
  const told = await hear<{ ports: number[] }>()
  return {
    ports: told.ports,
    /** Forgets what has arrived; `arrived` then resolves when this many more have arrived. */
    async expect(count: number): Promise<{ arrived: Promise<unknown> }> {
      ask({ expect: count })
      await hear()
      return { arrived: hear() }
    },
    async forget() {
      ask({ expect: 0 })
      await hear()
    },
    async arrivals(): Promise<Arrival[]> {
      ask('arrivals')
      return (await hear<{ arrivals: Arrival[] }>()).arrivals
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** The memory of a Waybill in megabytes, from its metrics: in total, and the used heap. */
export async function readMemory({ url }: Running) {
  const text = await (await fetch(`${url}/metrics`)).text()
  const megabytes = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)![1]) / 1_000_000
  return { megabytes: megabytes('process_resident_memory_bytes'), heap: megabytes('nodejs_heap_size_used_bytes') }
}

/**
 * How much processor time a Waybill and its PostgreSQL have used, in milliseconds, and how much of Waybill's was the kernel's;
 * nothing where there is no /proc.
 */
export function processorTimes({ api, databasePid }: { api: Running; databasePid: number }) {
  try {
    const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readStat(Number(name)) : []))
    const sum = (which: (one: Stat) => boolean, of: 'ms' | 'kernelMs' = 'ms') =>
      all.filter(which).reduce((total, one) => total + one[of], 0)
    const isOurs = ({ pid }: Stat) => pid === api.pid
    const own = (readStat(databasePid)[0] as Stat).endedMs
    return {
      node: sum(isOurs),
      kernel: sum(isOurs, 'kernelMs'),
      postgres: own + sum(({ parent }) => parent === databasePid),
    }
  } catch {
    return { node: Number.NaN, kernel: Number.NaN, postgres: Number.NaN }
  }
}

interface Stat {
  pid: number
  parent: number
  ms: number
  kernelMs: number
  /** Of its children that have ended. */
  endedMs: number
}

const tickMs = 10

function readStat(pid: number): Stat[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent, user, system, ofEnded, systemOfEnded] = [1, 11, 12, 13, 14].map((at) => fields[at] as number)
    return [
      {
        pid,
        parent: parent!,
        ms: (user! + system!) * tickMs,
        kernelMs: system! * tickMs,
        endedMs: (ofEnded! + systemOfEnded!) * tickMs,
      },
    ]
  } catch {
    // It has ended meanwhile.
    return []
  }
}

/** Sends requests for us, in a separate process. */
export function startLoad() {
  // Values of statements can be bytes, which JSON does not carry.
  const child = fork(join(import.meta.dirname, 'load.ts'), { serialization: 'advanced' })
  const send = <Answer>(job: Job | { lists: Lists }) => {
    const answered = Promise.withResolvers<Answer>()
    const fail = () => answered.reject(new Error('The load generator has died'))
    child.once('exit', fail).once('message', answered.resolve)
    child.send(job)
    return answered.promise.finally(() => child.off('exit', fail))
  }
  return {
    ask: (job: Job) => send<Outcome>(job),
    work: (lists: Lists) => send<Pick<Outcome, 'perSecond' | 'statuses'>>({ lists }),
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
export type Load = ReturnType<typeof startLoad>
