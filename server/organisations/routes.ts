import { pageById } from '../http/answers/cursor.ts'
import type { Handlers } from '../http/route.ts'
import { announceChanges } from '../topics.ts'
import { changeOrganisation, issueKey, revokeKey, rotateKey } from './actions.ts'
import type { Keyring } from './authenticate.ts'
import { listPartners } from './partner-queries.ts'
import { addPartner, endPartnership, presentPartner } from './partners.ts'
import { presentIssuedKey, presentKey, presentOwnCompany } from './present.ts'
import { findFirstSteps, listKeys, type Organisation } from './queries.ts'

/** The keyring caches what changes here, so its cache is cleared. */
export const organisationRoutes = (keyring: Pick<Keyring, 'forget'>) =>
  ({
    async getCompany({ config }, { organisation }) {
      return { company: presentOwnCompany(organisation, config.publicUrl) }
    },

    async updateCompany(context, { organisation, body }) {
      const changed = await changeOrganisation(context, organisation, body)
      keyring.forget()
      return { company: presentOwnCompany(changed, context.config.publicUrl) }
    },

    async getFirstSteps({ db }, { organisation }) {
      return { firstSteps: await findFirstSteps(db, organisation.id) }
    },

    async listPartners({ db }, { organisation, query }) {
      const { page, ...more } = await pageById(query, (...part) => listPartners(db, organisation.id, ...part))
      return { partners: page.map(presentPartner), ...more }
    },

    async addPartner(context, { organisation, body: { companyId } }) {
      const partner = await addPartner(context, organisation, companyId)
      announceChanges(context.notices, companyId, ['partners'])
      return { partner: presentPartner(partner) }
    },

    async endPartnership(context, { organisation, params: { companyId } }) {
      await endPartnership(context, organisation, companyId)
      announceChanges(context.notices, companyId, ['partners'])
      return {}
    },

    async listKeys({ db }, { organisation, query }) {
      const { page, ...more } = await pageById(query, (...part) => listKeys(db, organisation.id, ...part))
      return { keys: page.map(presentKey), ...more }
    },

    async createKey(context, { organisation, scopes, body }) {
      return { key: presentIssuedKey(await issueKey(context, organisation, scopes, body)) }
    },

    async revokeKey(context, { organisation, scopes, params }) {
      await revokeKey(context, organisation.id, scopes, params.keyId)
      keyring.forget()
      return {}
    },

    async rotateKey(context, { organisation, scopes, params, body }) {
      const issued = await rotateKey(context, organisation.id, scopes, params.keyId, body)
      keyring.forget()
      return { key: presentIssuedKey(issued) }
    },
  }) satisfies Partial<Handlers<Organisation>>
