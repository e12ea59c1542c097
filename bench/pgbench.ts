import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Statement } from './load.ts'

/* The same statements by PostgreSQL's own load generator, where it is installed. */

export const hasPgbench = (() => {
  try {
    execFileSync('pgbench', ['--version'])
    return true
  } catch {
    return false
  }
})()

export interface PgbenchJob {
  databaseUrl: string
  organisationId: number
  connections: number
  milliseconds: number
  /** One of these is chosen at random each time. */
  scripts: Statement[][]
}

/** Returns transactions per second. */
export async function pgbench(job: PgbenchJob): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-pgbench-'))
  try {
    const files: string[] = []
    for (const [n, statements] of job.scripts.entries()) {
      const file = join(folder, `${n}.sql`)
      await writeFile(file, statements.map((statement) => `${literally(statement).replaceAll('\n', ' ')};\n`).join(''))
      files.push('-f', file)
    }
    const { host, port, user, database } = partsOf(job.databaseUrl)
    const options = [
      '-n',
      '-M',
      'prepared',
      '-j',
      '2',
      '-c',
      job.connections,
      '-T',
      Math.ceil(job.milliseconds / 1_000),
    ].map(String)
    const { stdout } = await promisify(execFile)(
      'pgbench',
      [...options, '-h', host, '-p', port, '-U', user, ...files, database],
      {
        env: { ...process.env, PGOPTIONS: `-c waybill.organisation=${job.organisationId}` },
        maxBuffer: 10_000_000,
      },
    )
    return Number(/tps = ([\d.]+)/.exec(stdout)![1])
  } finally {
    await rm(folder, { recursive: true })
  }
}

function partsOf(databaseUrl: string) {
  const { port, username, pathname, searchParams } = new URL(databaseUrl)
  return { host: searchParams.get('host')!, port, user: username, database: pathname.slice(1) }
}

/** The statement with its values in the text. */
const literally = ({ text, values }: Statement): string =>
  text.replace(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1]))

function literal(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (value === null || value === undefined) return 'null'
  const list = value instanceof Uint8Array ? textsOf(Buffer.from(value)).map(quoted) : value
  const text = Array.isArray(list) ? `{${list.join(',')}}` : String(list)
  // A colon would start a variable, even inside quotes.
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a').replaceAll('\n', '\\n')
  return `e'${escaped}'`
}

const quoted = (text: string | null) => (text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`)

/** The texts of an array in PostgreSQL's binary form. */
function textsOf(array: Buffer): (string | null)[] {
  const texts: (string | null)[] = []
  for (let at = 5 * 4; at < array.length; ) {
    const length = array.readInt32BE(at)
    const end = at + 4 + Math.max(0, length)
    texts.push(length < 0 ? null : array.toString('utf8', at + 4, end))
    at = end
  }
  return texts
}
