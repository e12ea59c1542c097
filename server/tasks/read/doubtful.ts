import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { AddressRow } from '../tables.ts'
import { isDoubtful, isOpen } from './conditions.ts'

/** Addresses to check of open tasks, those of the newest. What a partner handed over is the partner's to correct. */
export const listDoubtfulAddresses = (db: Db, organisationId: number, limit: number) =>
  db.many<AddressRow>(sql`
    select a.* from tasks t
    cross join lateral (
      select * from addresses where organisation_id = ${organisationId} and task_id = t.id limit 1) a
    where t.organisation_id = ${organisationId} and t.deleted_at is null and t.${isOpen} and t.owner_id is null
      and ${isDoubtful}
    order by t.id desc
    limit ${limit}`)
