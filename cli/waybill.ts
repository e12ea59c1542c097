import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Caches the compiled source without its types: the server is ready in 1.1 s instead of 1.6, a short command takes
 * half the time, and 15 MB are saved because the type stripper is not even loaded. In a read-only folder nothing is
 * cached.
 */
const folder = join(import.meta.dirname, '../node_modules/.cache/waybill')
enableCompileCache(folder)
// For threads, which inherit only this.
process.env['NODE_COMPILE_CACHE'] ??= folder

const { runCommand } = await import('./commands.ts')
await runCommand(process.argv.slice(2))
