import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { Answer } from '../../contract/operations.ts'
import { api, WaybillError } from './client.ts'

export type Session = Answer<'getSession'>

/** Who is signed in, or null. */
export const useSessionQuery = () =>
  useQuery({
    queryKey: ['session'],
    queryFn: async (): Promise<Session | null> => {
      try {
        return await api.getSession()
      } catch (error) {
        if (error instanceof WaybillError && error.status === 401) return null
        throw error
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })

export const SessionContext = createContext<Session | null>(null)

/** Inside the signed-in part of the pages there is always a session. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('This part of the pages is for people who are signed in')
  return session
}

export const ShopContext = createContext(false)
/** Whether the console shows only what a shop needs, which leaves the driving to a partner. Hidden, not forbidden. */
export const useIsShop = () => useContext(ShopContext)

/** Whether the person's role allows an operation. */
export function useMay() {
  const { scopes } = useSession()
  return (scope: string) => scopes.includes('*') || scopes.includes(scope)
}

export function useSignOut() {
  const client = useQueryClient()
  return async (everywhere = false) => {
    await (everywhere ? api.signOutEverywhere() : api.signOut())
    // Unfinished imports hold customers' data, which is nothing for the next person at this computer.
    indexedDB.deleteDatabase('waybill-import')
    forgetSession(client)
  }
}

/** Nobody is signed in any more, and nothing that was shown to somebody is kept. */
export function forgetSession(client: QueryClient) {
  // First: what is cleared tells nobody, and the page would stay.
  client.setQueryData(['session'], null)
  client.setQueryData(['session', 'ended'], false)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  client.getMutationCache().clear()
}
