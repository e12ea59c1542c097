import type { KeptPosition, Refused, WaitingOp } from './kept.ts'
import type { Numbering, Shelf, Shelves, Store } from './store.ts'
import { createTurns } from './turns.ts'

/* The parts of a phone that has no browser around it. */

type Values = Map<string | number, unknown>
const names = ['facts', 'tasks', 'ops', 'files', 'pictures', 'refused', 'drafts', 'positions'] as const
type Name = (typeof names)[number]

/** A store as exact as the one of a browser: values are copied in and out, and one change happens after the other. */
export function createMemoryStore(): Store {
  let kept = Object.fromEntries(names.map((name) => [name, new Map()])) as Record<Name, Values>
  let last = 0
  const inTurn = createTurns()
  const number = () => {
    last += 1
    return last
  }
  return {
    read: (run) => inTurn(() => run(shelvesOf(kept, number))),
    change: (run) =>
      inTurn(async () => {
        const changed = Object.fromEntries(names.map((name) => [name, new Map(kept[name])])) as typeof kept
        const result = await run(shelvesOf(changed, number))
        kept = changed
        return result
      }),
    isFull: () => false,
  }
}

function shelvesOf(kept: Record<Name, Values>, number: () => number): Shelves {
  const inOrder = <Value>(name: Name) =>
    [...kept[name]].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => structuredClone(value as Value))
  const shelf = <Key extends string | number, Value>(name: Name, keyOf?: (value: Value) => Key): Shelf<Key, Value> => ({
    get: async (key) => structuredClone(kept[name].get(key) as Value | undefined),
    getAll: async () => inOrder<Value>(name),
    put: async (value, key) => kept[name].set(key ?? (keyOf as (value: Value) => Key)(value), structuredClone(value)),
    delete: async (key) => kept[name].delete(key),
    clear: async () => kept[name].clear(),
  })
  const numbering = <Value, Of extends keyof Value>(name: Name, of: Of): Numbering<Value, Of> => ({
    ...shelf<number, Value>(name, (value) => value[of] as number),
    add: async (value) => {
      const given = number()
      kept[name].set(given, structuredClone({ ...value, [of]: given }))
    },
  })
  return {
    facts: shelf('facts'),
    tasks: shelf('tasks', ({ id }) => id),
    ops: numbering<WaitingOp, 'place'>('ops', 'place'),
    files: shelf('files', ({ fileId }) => fileId),
    pictures: shelf('pictures'),
    refused: numbering<Refused, 'id'>('refused', 'id'),
    drafts: shelf('drafts', ({ taskId }) => taskId),
    positions: {
      ...numbering<KeptPosition, 'place'>('positions', 'place'),
      count: async () => kept.positions.size,
      first: async (count) => inOrder<KeptPosition>('positions').slice(0, count),
      deleteUntil: async (place) => {
        for (const key of kept.positions.keys()) if (Number(key) <= place) kept.positions.delete(key)
      },
    },
  }
}
