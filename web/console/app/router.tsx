import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { apps, type ConsolePath } from '../../../contract/pages.ts'
import { PartFailed } from '../../ui/error-boundary.tsx'
import { readFilters } from '../day/filters.ts'
import { DispatchScreen } from '../dispatch/dispatch-screen.tsx'
import { readScope } from '../pages/addresses/doubtful.ts'
import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { WelcomePage } from '../sign-in/welcome-page.tsx'
import { loadPage } from './load-page.ts'
import { NotFound } from './not-found.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignInPage,
  validateSearch: ({ next }): { next?: string } => (typeof next === 'string' && /^\/(?!\/)/.test(next) ? { next } : {}),
})
const welcome = createRoute({ getParentRoute: () => root, path: '/welcome', component: WelcomePage })
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: Shell })

const dispatch = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: DispatchScreen,
  validateSearch: readFilters,
})

/** The other pages, each loaded when it is first opened. */
const page = <const Path extends ConsolePath>(path: Path, load: () => Promise<{ default: () => React.ReactNode }>) =>
  createRoute({ getParentRoute: () => signedIn, path, component: lazyRouteComponent(() => loadPage(load)) })

const pages = [
  page('/drivers', () => import('../pages/drivers/drivers-page.tsx')),
  page('/load', () => import('../pages/load/load-page.tsx')),
  page('/teams', () => import('../pages/teams/teams-page.tsx')),
  page('/hubs', () => import('../pages/hubs/hubs-page.tsx')),
  page('/forms', () => import('../pages/forms/forms-page.tsx')),
  page('/reasons', () => import('../pages/reasons/reasons-page.tsx')),
  page('/conflicts', () => import('../pages/conflicts/conflicts-page.tsx')),
  page('/to-decide', () => import('../pages/to-decide/to-decide-page.tsx')),
  page('/messages', () => import('../pages/customer-messages/messages-page.tsx')),
  page('/statistics', () => import('../pages/statistics/statistics-page.tsx')),
  page('/cash', () => import('../pages/cash/cash-page.tsx')),
  page('/webhooks', () => import('../pages/webhooks/webhooks-page.tsx')),
  page('/keys', () => import('../pages/keys/keys-page.tsx')),
  page('/partners', () => import('../pages/partners/partners-page.tsx')),
  page('/people', () => import('../pages/people/people-page.tsx')),
  page('/audit', () => import('../pages/audit/audit-page.tsx')),
  page('/privacy', () => import('../pages/privacy/privacy-page.tsx')),
  page('/settings', () => import('../pages/settings/settings-page.tsx')),
  page('/account', () => import('../pages/account/account-page.tsx')),
] as const

const addresses = createRoute({
  getParentRoute: () => signedIn,
  path: '/addresses',
  component: lazyRouteComponent(() => loadPage(() => import('../pages/addresses/addresses-page.tsx'))),
  validateSearch: readScope,
})

const schedules = createRoute({
  getParentRoute: () => signedIn,
  path: '/schedules',
  component: lazyRouteComponent(() => loadPage(() => import('../pages/schedules/schedules-page.tsx'))),
  validateSearch: ({ edit }): { edit?: number } => (Number.isSafeInteger(edit) ? { edit: edit as number } : {}),
})

export const router = createRouter({
  routeTree: root.addChildren([signIn, welcome, signedIn.addChildren([dispatch, addresses, schedules, ...pages])]),
  defaultPreload: 'intent',
  defaultErrorComponent: PartFailed,
})

// A compile error here names an address that the server serves as a console page but that has no route.
apps.console satisfies readonly (keyof typeof router.routesByPath)[]

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
