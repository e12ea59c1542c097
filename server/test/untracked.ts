import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

/*
 * Loaded into every process of the test runner, which follows each promise from its making to its collection to know
 * which test a stray error belongs to. That makes code full of promises up to twenty times as slow. So it follows them only
 * while the files are read, for the tests inside a `suite`; a stray error fails the file, and is printed here with its stack.
 */

const { createHook } = hooks
hooks.createHook = (callbacks) => {
  hooks.createHook = createHook
  syncBuiltinESMExports()
  const hook = createHook(callbacks)
  queueMicrotask(() => hook.disable())
  return hook
}
syncBuiltinESMExports()

// A listener keeps the process alive, so it has to say that this is a failure: without it, a file that cannot be loaded
// would pass.
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    process.exitCode = 1
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  })
