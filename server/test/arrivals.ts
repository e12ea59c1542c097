import { sql } from '../db/sql.ts'
import type { TestServer } from './server.ts'

/** Makes all drivers of the organisation due: the worker may have looked at them a moment ago. */
export const letDriversBeDue = ({ database, organisationId }: TestServer) =>
  database.everyone.run(
    sql`update followed_drivers set followed_at = now() - interval '1 hour' where organisation_id = ${organisationId}`,
  )

/** A round of "arrivals" for which all drivers of the organisation are due. */
export async function followDrivers(server: TestServer) {
  await letDriversBeDue(server)
  await server.makeRound('arrivals')
}
