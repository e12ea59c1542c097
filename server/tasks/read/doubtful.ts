import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { AddressRow } from '../tables.ts'
import { isDoubtful, isOpen } from './conditions.ts'

/**
 * Addresses to check of open tasks, those of the newest. What a partner handed over is the partner's to correct. Open tasks are
 * found first, because the newest that fit may be behind many that have ended.
 */
export const listDoubtfulAddresses = (db: Db, organisationId: number, limit: number) =>
  db.many<AddressRow>(sql`
    with open as materialized (
      select id from tasks
      where organisation_id = ${organisationId} and deleted_at is null and ${isOpen} and owner_id is null
    )
    select a.* from open t
    cross join lateral (
      select * from addresses where organisation_id = ${organisationId} and task_id = t.id limit 1) a
    where ${isDoubtful}
    order by t.id desc
    limit ${limit}`)
