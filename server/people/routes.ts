import { Refusal } from '../../contract/errors.ts'
import type { Context, Service } from '../context.ts'
import type { Db } from '../db/db.ts'
import { pageById } from '../http/answers/cursor.ts'
import type { DeviceCookie } from '../http/requests/receive.ts'
import type { Handlers } from '../http/route.ts'
import { presentCompany } from '../organisations/present.ts'
import type { Organisation } from '../organisations/queries.ts'
import { announceChanges, newEvents } from '../topics.ts'
import { changePerson, dismissPerson, type Invited, invitePerson, linkTo, makeToken, renewLink } from './actions.ts'
import { describeInstallation } from './installation.ts'
import { presentLinkOwner, presentPerson } from './present.ts'
import { findPerson, listPeople, type PersonRow } from './queries.ts'
import {
  changePassword,
  getLinkOwner,
  sessionAuthenticator,
  setPassword,
  signIn,
  signOut,
  signOutEverywhere,
} from './sign-in.ts'
import { createPasswordTries } from './tries.ts'

const personOf = ({ actor }: Pick<Context, 'actor'>) => actor.id as number

const presentInvited = (ownUrl: string, { person, link }: Invited) => ({
  person: presentPerson(person),
  link: linkTo(ownUrl, link),
  expiresAt: link.expiresAt.toISOString(),
})

async function presentSignedIn(db: Db, organisation: Organisation, personId: number, scopes: readonly string[]) {
  const person = (await findPerson(db, organisation.id, personId)) as PersonRow
  return { person: presentPerson(person), company: presentCompany(organisation), scopes: [...scopes] }
}

type Greeting = Awaited<ReturnType<typeof presentSignedIn>>

/**
 * When sessions end, event streams are woken (as by an event), so that they check whether their reader still has
 * access.
 */
export function peopleRoutes({ database, notices }: Pick<Service, 'database' | 'notices'>) {
  const tries = createPasswordTries(database.everyone, database.hasty)
  const authenticate = sessionAuthenticator(database.everyone)

  /** Signing in returns what the new session would get. */
  async function greet(token: string) {
    const { organisation, actor, scopes } = await authenticate(token)
    return presentSignedIn(database.of(organisation.id), organisation, personOf({ actor }), scopes)
  }

  /** Strangers who guess do not keep them out from here. */
  async function remember({ person, company }: Greeting, address: string, device: DeviceCookie) {
    // One of ours: a browser that came with an easy one would be easy to pass for.
    const token = /^[\w-]{43}$/.exec(device.token ?? '')?.[0] ?? makeToken()
    await tries.remember({ organisationId: company.id, personId: person.id }, address, token)
    device.give(token)
  }

  return {
    async signIn(context, { body, giveCookie, device, address }) {
      const token = await signIn(context, tries.from(address, device.token), body)
      giveCookie(token)
      const signedIn = await greet(token)
      await remember(signedIn, address, device)
      return signedIn
    },

    async describeLink({ db }, { body }) {
      return presentLinkOwner(await getLinkOwner(db, body))
    },

    async setPassword(context, { body, giveCookie, device, address }) {
      const token = await setPassword(context, body)
      giveCookie(token)
      const signedIn = await greet(token)
      await remember(signedIn, address, device)
      notices.ring(newEvents, signedIn.company.id)
      announceChanges(notices, signedIn.company.id, ['people'])
      return signedIn
    },

    async getSession(context, { organisation, scopes }) {
      return presentSignedIn(context.db, organisation, personOf(context), scopes)
    },

    async getInstallation(context, { organisation }) {
      const person = await findPerson(context.db, organisation.id, personOf(context))
      if (!person || !presentPerson(person).superAdmin)
        throw new Refusal('FORBIDDEN', { message: 'Only a super admin sees the installation' })
      return { installation: await describeInstallation(context) }
    },

    async signOut(context, { organisation, sessionId, giveCookie }) {
      await signOut(context, organisation.id, personOf(context), sessionId)
      context.announceEvents()
      giveCookie(undefined)
      return {}
    },

    async signOutEverywhere(context, { organisation, giveCookie }) {
      await signOutEverywhere(context, organisation.id, personOf(context))
      context.announceEvents()
      giveCookie(undefined)
      return {}
    },

    async changePassword(context, { organisation, sessionId, body }) {
      const who = { organisationId: organisation.id, personId: personOf(context), sessionId }
      await changePassword(context, tries.ofSession(sessionId), who, body)
      context.announceEvents()
      return {}
    },

    async listPeople({ db }, { organisation, query }) {
      const { page, ...more } = await pageById(query, (...part) => listPeople(db, organisation.id, ...part))
      return { people: page.map(presentPerson), ...more }
    },

    async invitePerson(context, { organisation, scopes, body, ownUrl }) {
      return presentInvited(ownUrl, await invitePerson(context, organisation.id, scopes, body))
    },

    async makePersonLink(context, { organisation, scopes, params, ownUrl }) {
      return presentInvited(ownUrl, await renewLink(context, organisation.id, scopes, params.personId))
    },

    async updatePerson(context, { organisation, scopes, params, body }) {
      return { person: presentPerson(await changePerson(context, organisation.id, scopes, params.personId, body)) }
    },

    async deletePerson(context, { organisation, scopes, params }) {
      await dismissPerson(context, organisation.id, scopes, params.personId)
      context.announceEvents()
      return {}
    },
  } satisfies Partial<Handlers<Organisation>>
}
