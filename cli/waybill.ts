import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { runNoun, runVerb } from './command.ts'
import { help } from './help.ts'

/** Each is loaded only when needed, so that help does not wait for the server. */
const commands: Record<string, (args: string[]) => Promise<void>> = {
  serve: async () => (await import('./serve.ts')).serve(),
  build: async (args) => runVerb('build', (await import('./console.ts')).build, args),
  demo: async (args) => runVerb('demo', (await import('./demo.ts')).demo, args),
  keys: async (args) => runNoun('keys', (await import('./keys.ts')).keys, args),
  people: async (args) => runNoun('people', (await import('./people.ts')).people, args),
  backup: async (args) => runVerb('backup', (await import('./backup.ts')).backup, args),
  restore: async (args) => runVerb('restore', (await import('./restore.ts')).restore, args),
  organisations: async (args) => runNoun('organisations', (await import('./organisations.ts')).organisations, args),
}

/**
 * Keeps the source without its types, and compiled: the server is ready in 1.1 s instead of 1.6, a short command takes
 * half the time, and 15 MB are saved because what strips types is not even loaded. Where the folder is read-only, nothing
 * is kept.
 */
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/waybill'))

const [name = 'help', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined

if (command) await command(args)
else if (['help', '--help', '-h'].includes(name)) console.log(help)
else {
  console.error(`Unknown command "${name}".\n\n${help}`)
  process.exitCode = 2
}
