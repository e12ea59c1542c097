import { createContext, useContext } from 'react'

export type Liveness = { state: 'connecting' } | { state: 'live' } | { state: 'stale'; since: Date }

export const LivenessContext = createContext<Liveness>({ state: 'connecting' })
/** Whether the data shown is up to date. */
export const useLiveness = () => useContext(LivenessContext)
