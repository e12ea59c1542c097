import { orThrow, presentRefusal, Refusal } from '../../contract/errors.ts'
import type { ScanInput } from '../../contract/scan.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { type GivenScan, recordScans } from './actions.ts'
import { seeLoads } from './see.ts'

const givenScan = ({ code, at, userId, day }: ScanInput): GivenScan => ({
  code,
  at,
  driverId: userId ?? null,
  day: day ?? null,
})

export const loadingRoutes = {
  async createScan(context, { organisation, body }) {
    const [scanned] = await recordScans(context, organisation, [givenScan(body)])
    return orThrow(scanned)
  },

  async bulkCreateScans(context, { organisation, body }) {
    const given = body.scans.map((one) => (one instanceof Refusal ? one : givenScan(one)))
    const results = await recordScans(context, organisation, given)
    return {
      results: results.map((result, index) => ({
        item: index + 1,
        ...(result instanceof Refusal
          ? { success: false, error: presentRefusal(result) }
          : { success: true, data: result }),
      })),
    }
  },

  async listLoads(context, { organisation, query }) {
    return seeLoads(context, organisation, query)
  },
} satisfies Partial<Handlers<Organisation>>
