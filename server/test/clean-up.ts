import type { TestContext } from 'node:test'

const stacks = new WeakMap<TestContext, AsyncDisposableStack>()

/** Cleans up in reverse order: a server before its database and its folder. `t.after` does the opposite. */
export function cleanUpOf(t: TestContext): AsyncDisposableStack {
  const known = stacks.get(t)
  if (known) return known
  const stack = new AsyncDisposableStack()
  stacks.set(t, stack)
  t.after(() => stack.disposeAsync())
  return stack
}
