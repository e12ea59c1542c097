import type { Handlers } from '../http/route.ts'
import { tellChanges } from './changes.ts'
import { type Asking, findEntries } from './list.ts'
import { recordAudit } from './record.ts'

export const auditRoutes = {
  async listAudit({ db }, { organisation, query }) {
    return findEntries(db, organisation, query)
  },

  async noteExport(context, { organisation, body }) {
    const changes = tellChanges(null, { ...body })
    await recordAudit(context, context.db, organisation.id, [{ kind: 'list.exported', changes }])
    return {}
  },
} satisfies Partial<Handlers<Asking>>
