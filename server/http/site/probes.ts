import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import { version } from '../../config.ts'
import type { Service } from '../../context.ts'
import { DiskFull } from '../../db/faults.ts'
import { sql } from '../../db/sql.ts'
import { refusalFrom } from '../errors.ts'

/** What only the list of everything mounted can tell the probes. */
export interface Condition {
  isDraining(): boolean
  /** Whether the first organisation exists. Its key is committed together with it. */
  hasOrganisation(): Promise<boolean>
}

const firstStart = 'There is no organisation yet; the first start of a server that answers requests makes it'

/** Whether the process lives, and whether it can work. */
export function mountProbes(app: FastifyInstance, { database }: Service, condition: Condition) {
  app.get('/health', () => ({ success: true, version }))
  app.get('/ready', async (_, reply) => {
    const refusal = await findObstacle()
    if (!refusal) return { success: true }
    reply.code(503).header('retry-after', refusal.retryAfterSeconds ?? 2)
    return { success: false, code: refusal.code, reason: refusal.message }
  })

  /**
   * Why we are not ready. A write that changes nothing shows whether the database accepts writes. At a first start we
   * listen a moment before the organisation is made, by us or by another process: until then no key works.
   */
  async function findObstacle(): Promise<Refusal | undefined> {
    if (condition.isDraining()) return new Refusal('OVERLOADED', { message: 'The service is stopping' })
    if (database.isFull()) return refusalFrom(new DiskFull())
    try {
      await database.everyone.run(sql`update migrations set name = name where false`)
      return (await condition.hasOrganisation()) ? undefined : new Refusal('OVERLOADED', { message: firstStart })
    } catch (error) {
      return refusalFrom(error)
    }
  }
}
