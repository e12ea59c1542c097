import { help } from './help.ts'
import { serve } from './serve.ts'

const commands: Record<string, (args: string[]) => Promise<void>> = { serve }

const [name = 'help', ...args] = process.argv.slice(2)
const command = commands[name]

if (command) await command(args)
else if (['help', '--help', '-h'].includes(name)) console.log(help)
else {
  console.error(`There is no command "${name}".\n\n${help}`)
  process.exitCode = 2
}
