import { useSyncExternalStore } from 'react'

/* What an import brought, which the map shows as it comes. Outside the page's state: the dialog is closed by then. */

/** Tasks with a higher id came with the last import. */
export interface Arrival {
  afterId: number
}

let arrival: Arrival | undefined
const listeners = new Set<() => void>()

function set(next: Arrival | undefined) {
  arrival = next
  for (const listener of listeners) listener()
}

/** To be called when an import begins, with the tasks that are there already. */
export const beginArrival = (known: readonly { id: number }[]) =>
  set({ afterId: known.reduce((highest, { id }) => Math.max(highest, id), 0) })

export const endArrival = () => arrival && set(undefined)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
export const useArrived = () => useSyncExternalStore(subscribe, () => arrival)
