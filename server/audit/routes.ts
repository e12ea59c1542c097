import type { Handlers } from '../http/route.ts'
import { type Asking, findEntries } from './list.ts'

export const auditRoutes = {
  async listAudit({ db }, { organisation, query }) {
    return findEntries(db, organisation, query)
  },
} satisfies Partial<Handlers<Asking>>
