import type { Db } from '../db/db.ts'
import { containing, sql } from '../db/sql.ts'
import type { AuditRow } from './table.ts'

export interface AuditFilter {
  kinds: string[] | undefined
  who: string | undefined
  from: Date | undefined
  to: Date | undefined
}

/** A page ends here: an entry, by its time and its id. */
export type AuditPlace = [at: string, id: number]

export type ListedEntry = AuditRow & { actor_name: string | null; subject_name: string | null }

/** The newest entries before a place. Names are those of today: the log itself keeps only ids. */
export const listEntries = (
  db: Db,
  organisationId: number,
  { kinds, who, from, to }: AuditFilter,
  [at, id]: AuditPlace,
  limit: number,
) =>
  db.many<ListedEntry>(sql`
    select a.*, coalesce(u.name, k.name) as actor_name, coalesce(su.name, sk.name, t.awb, p.company ->> 'name') as subject_name
    from audit_log a
    left join users u on u.organisation_id = a.organisation_id and u.id = a.actor_id and a.actor_type in ('ADMIN', 'DRIVER')
    left join keys k on k.organisation_id = a.organisation_id and k.id = a.actor_id and a.actor_type = 'API'
    left join users su
      on su.organisation_id = a.organisation_id and su.id = a.subject_id and a.subject_type in ('person', 'driver')
    left join keys sk on sk.organisation_id = a.organisation_id and sk.id = a.subject_id and a.subject_type = 'key'
    left join tasks t on t.organisation_id = a.organisation_id and t.id = a.subject_id and a.subject_type = 'task'
    left join partners p
      on p.organisation_id = a.organisation_id and p.partner_id = a.subject_id and a.subject_type = 'partner'
    where a.organisation_id = ${organisationId}
      and (a.at, a.id) < (${at}::timestamptz, ${id}::bigint)
      and (${from ?? null}::timestamptz is null or a.at >= ${from ?? null})
      and (${to ?? null}::timestamptz is null or a.at < ${to ?? null})
      and (${kinds ?? null}::text[] is null or a.kind = any(${kinds ?? null}))
      and (${who ?? null}::text is null
        or concat_ws(' ', u.name, k.name, su.name, sk.name, t.awb, p.company ->> 'name', a.address) ilike ${who ? containing(who) : null})
    order by a.at desc, a.id desc
    limit ${limit}`)
