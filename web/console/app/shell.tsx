import { useQueryClient } from '@tanstack/react-query'
import { Navigate, Outlet, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useCompany } from '../../api/data.ts'
import { type Session, SessionContext, ShopContext, useSessionQuery } from '../../api/session.ts'
import { fetchAgain } from '../../live/fetch-again.ts'
import { followEvents } from '../../live/live.ts'
import { type Liveness, LivenessContext } from '../../live/liveness.ts'
import { useBrandColour } from '../../ui/brand-colour.ts'
import { Later } from '../../ui/later.tsx'
import { LoadingState, NotLoaded } from '../../ui/state.tsx'
import { useSay } from '../../words/console.ts'
import { DiskNotice } from './disk-notice.tsx'
import { Navigation } from './navigation.tsx'
import { useEnded } from './session-end.ts'

const SetUpPage = lazy(() => import('../sign-in/set-up-page.tsx'))
/** They lie over every page, and are not needed to show one. */
const Guards = lazy(() => import('./guards.tsx'))

/** Everything behind the sign-in: the session, the live connection, the navigation, and the page. */
export function Shell() {
  const session = useSessionQuery()
  // Not <Loaded>: its notice needs the organisation's time zone, which is unknown before signing in.
  if (session.data === undefined) return <NotLoaded query={session} />
  return session.data ? <SignedIn session={session.data} /> : <ToSignIn />
}

/** Remembers the address once, because it changes while the browser navigates. */
function ToSignIn() {
  const router = useRouter()
  const [wanted] = useState(() => router.state.location.href)
  return <Navigate to="/sign-in" search={wanted === '/' ? {} : { next: wanted }} replace />
}

function SignedIn({ session }: { session: Session }) {
  const say = useSay()
  const company = useCompany()
  useBrandColour(company.data?.settings.accentColor)
  const { liveness, hasBegun } = useLive()
  // After an outage the old data of the organisation is good enough to continue.
  if (!company.data || !hasBegun) return <NotLoaded query={company} />
  if (company.data.firstSteps === 'setUp' && session.person.role === 'admin')
    return (
      <Later>
        <SetUpPage company={company.data} session={session} />
      </Later>
    )
  return (
    <SessionContext value={session}>
      <ShopContext value={company.data.settings.shopConsole}>
        <LivenessContext value={liveness}>
          <a href="#content" className="sr-only focus:not-sr-only">
            {say('skipToContent')}
          </a>
          <div className="flex h-full flex-col">
            <DiskNotice />
            <div className="flex min-h-0 grow max-sm:flex-col-reverse">
              <Navigation />
              <main id="content" className="min-h-0 min-w-0 grow">
                {/* A page that waits for its texts: without this everything would be empty, the navigation too. */}
                <Suspense fallback={<LoadingState rows={12} />}>
                  <Outlet />
                </Suspense>
              </main>
            </div>
          </div>
          <Later>
            <Guards email={session.person.email ?? ''} />
          </Later>
        </LivenessContext>
      </ShopContext>
    </SessionContext>
  )
}

/** A proxy may hold back a stream; the page does not wait for it longer than this. */
const patienceMs = 1_000

/**
 * Follows what happens, from before anything is fetched: a change between a list and the stream would never be shown.
 * If the stream begins later, as after signing in again, everything is fetched again.
 */
function useLive() {
  const client = useQueryClient()
  const [liveness, setLiveness] = useState<Liveness>({ state: 'connecting' })
  const [hasBegun, setBegun] = useState(false)
  const isLate = useRef(false)
  const ended = useEnded()
  useEffect(() => {
    if (ended) return undefined
    const goOn = () => {
      isLate.current = true
      setBegun(true)
    }
    const timer = setTimeout(goOn, patienceMs)
    const stop = followEvents({
      client,
      onBegun() {
        if (isLate.current) fetchAgain(client, { predicate: ({ queryKey: [word] }) => word !== 'session' })
        goOn()
      },
      onLiveness(liveness) {
        setLiveness(liveness)
        if (liveness.state === 'stale') goOn()
      },
      onSignedOut: () => client.setQueryData(['session', 'ended'], true),
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [client, ended])
  return { liveness, hasBegun }
}
