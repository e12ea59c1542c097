import { type AuditKind, auditKinds } from '../../contract/audit.ts'
import { nowhere, type Origin, type Service } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Doer } from './record.ts'

/*
 * Failures to sign in. A stranger can make as many as they like, so only the first of an hour have a line of their own;
 * the others share one, when the hour is over.
 */

const ownLines = 10

/** Who fails is somebody we do not know, whatever they call themselves. */
export const nobody = (origin: Origin): Doer => ({ actor: { type: 'NOBODY', id: null }, origin })

export interface Failure {
  organisationId: number
  kind: AuditKind
  subjectId: number
}

/** Counts a failure, and writes it down if there were few in this hour. */
export const recordFailure = (
  { actor, origin }: Doer,
  db: Db,
  { organisationId, kind, subjectId }: Failure,
): Promise<number> =>
  db.run(sql`
    with counted as (
      insert into audit_failures as f (organisation_id, kind, subject_type, subject_id, hour, count)
      values (${organisationId}, ${kind}, ${auditKinds[kind].about}, ${subjectId}, date_trunc('hour', now()), 1)
      on conflict (organisation_id, kind, subject_id, hour) do update set count = f.count + 1
      returning *
    )
    insert into audit_log (
      organisation_id, actor_type, actor_id, address, agent, kind, subject_type, subject_id, changes, count)
    select organisation_id, ${actor.type}, ${actor.id}::bigint, ${origin.address}, ${origin.agent},
      kind, subject_type, subject_id, '[]', 1
    from counted where count <= ${ownLines}`)

/** Gives the failures of hours that are over, as far as they have no line, one together. */
export const endFailures = ({ database }: Pick<Service, 'database'>): Promise<number> => {
  const { actor } = nobody(nowhere)
  return database.everyone.run(sql`
    with ended as (
      delete from audit_failures where hour < date_trunc('hour', now()) returning *
    )
    insert into audit_log (organisation_id, actor_type, kind, subject_type, subject_id, changes, count)
    select organisation_id, ${actor.type}, kind, subject_type, subject_id,
      jsonb_build_array(jsonb_build_object(
        'field', 'hour', 'after', to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))),
      count - ${ownLines}
    from ended where count > ${ownLines}`)
}
