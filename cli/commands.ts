import { fail, type Noun, runNoun, runVerb, UsageError, type Verb, wantsHelp } from './command.ts'
import { help } from './help.ts'

/** Every command. Each is loaded only when needed, so that help does not wait for the server. */
export const commands: Record<string, () => Promise<Verb | Noun>> = {
  serve: async () => (await import('./serve.ts')).serve,
  build: async () => (await import('./console.ts')).build,
  demo: async () => (await import('./demo.ts')).demo,
  keys: async () => (await import('./keys.ts')).keys,
  people: async () => (await import('./people.ts')).people,
  backup: async () => (await import('./backup.ts')).backup,
  check: async () => (await import('./check.ts')).check,
  places: async () => (await import('./places.ts')).places,
  restore: async () => (await import('./restore.ts')).restore,
  map: async () => (await import('./map.ts')).map,
  remove: async () => (await import('./remove.ts')).remove,
  sbom: async () => (await import('./sbom.ts')).sbom,
  organisations: async () => (await import('./organisations.ts')).organisations,
}

/** Runs what was typed after `waybill`. */
export async function runCommand([name = 'help', ...args]: string[]): Promise<void> {
  if (name === 'help' && args.length > 0) return runCommand([...args, '--help'])
  if (name === 'help' || wantsHelp(name)) return console.log(help)
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) return fail(new UsageError(`Unknown command "${name}"; "waybill help" lists the commands`))
  const command = await load()
  return 'verbs' in command ? runNoun(name, command, args) : runVerb(name, command, args)
}
