import { mock } from 'node:test'
import { runCommand } from '../commands.ts'

/** Runs one command in this process, because a new process takes a second, and returns its output. */
export async function runHere(environment: Record<string, string>, ...args: string[]) {
  const before = { env: process.env, exitCode: process.exitCode }
  const { WAYBILL_API_KEY: _, ...clean } = process.env
  const said = { out: '', err: '' }
  mock.method(console, 'log', (...words: unknown[]) => (said.out += `${words.join(' ')}\n`))
  mock.method(console, 'error', (...words: unknown[]) => (said.err += `${words.join(' ')}\n`))
  mock.method(process.stderr, 'write', (text: string) => (said.err += text))
  try {
    process.env = { ...clean, DATABASE_URL: '', ...environment }
    process.exitCode = 0
    await runCommand(args)
    return { code: process.exitCode, ...said }
  } finally {
    Object.assign(process, before)
    mock.restoreAll()
  }
}
