import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Organisation } from '../organisations/queries.ts'

/** A task and its organisation, by the tracking token alone: asked before the tenant is known. */
export const findTracked = (db: Db, uuid: string) =>
  db.find<{ id: number; organisation: Organisation }>(sql`
    select t.id, row_to_json(o) as organisation
    from tasks t
    join organisations o on o.id = t.organisation_id
    where t.uuid = ${uuid} and t.deleted_at is null`)
