import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import type { Driver, Task } from '../../api/data.ts'

/** What is open over the dispatch screen. Buttons and keys open the same things, so the state is in one place. */
export type Opened =
  | { what: 'new' | 'help' | 'optimise' }
  | { what: 'unavailable'; driver: Driver }
  /** With the id of an unfinished one, to continue it. */
  | { what: 'import'; goOn?: string }
  | { what: 'assign' | 'complete' | 'delete' | 'plan' | 'proof' | 'labels'; tasks: Task[] }

interface Opening {
  opened: Opened | undefined
  open: (next: Opened) => void
  close: () => void
}
const OpenedContext = createContext<Opening>({ opened: undefined, open: () => {}, close: () => {} })
export const useOpened = () => useContext(OpenedContext)

export function OpenedProvider({ children }: { children: ReactNode }) {
  const [opened, open] = useState<Opened>()
  const value = useMemo(() => ({ opened, open, close: () => open(undefined) }), [opened])
  return <OpenedContext value={value}>{children}</OpenedContext>
}
