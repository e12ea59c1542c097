import type { TestContext } from 'node:test'

const stacks = new WeakMap<TestContext, AsyncDisposableStack>()

/** What was made last goes first: a server before its database and its folder. `t.after` does it the other way round. */
export function cleanUpOf(t: TestContext): AsyncDisposableStack {
  const known = stacks.get(t)
  if (known) return known
  const stack = new AsyncDisposableStack()
  stacks.set(t, stack)
  t.after(() => stack.disposeAsync())
  return stack
}
