import { Refusal } from '../../contract/errors.ts'
import { mostPartners } from '../../contract/limits.ts'
import type { Partner } from '../../contract/partner.ts'
import { tellChanges } from '../audit/changes.ts'
import { type Acting, recordAudit } from '../audit/record.ts'
import type { Db } from '../db/db.ts'
import {
  agree,
  disagree,
  forgetAsked,
  keepTasks,
  letTasksGo,
  listAgreed,
  noteAgreement,
  noteEnd,
  type PartnerRow,
} from './partner-queries.ts'
import { presentCompany } from './present.ts'
import type { Organisation } from './queries.ts'

/*
 * Two organisations are partners while both say so. What one says is written in its own row and copied to the other's, in
 * one transaction that acts as each of them in turn; nobody ever reads the rows of somebody else (docs/decisions/0051).
 */

/** In the order of their ids, so that two who speak at the same moment wait for each other instead of locking each other out. */
async function onBothSides<Result>(
  db: Db,
  ownId: number,
  otherId: number,
  own: (db: Db) => Promise<Result>,
  other: (db: Db) => Promise<unknown>,
): Promise<Result> {
  if (otherId < ownId) await other(db.as(otherId))
  const result = await own(db)
  if (otherId > ownId) await other(db.as(otherId))
  return result
}

/** Agrees to be the partner of another organisation. One that does not exist is answered like one that says nothing. */
export async function addPartner(by: Acting, organisation: Organisation, companyId: number): Promise<PartnerRow> {
  const { id } = organisation
  if (companyId === id)
    throw new Refusal('VALIDATION_FAILED', { field: 'companyId', message: 'companyId is your own organisation' })
  return by.db.transaction(async (db) => {
    const row = await onBothSides(
      db,
      id,
      companyId,
      (db) => agree(db, id, companyId, mostPartners),
      (db) => noteAgreement(db, companyId, presentCompany(organisation)),
    )
    if (!row)
      throw new Refusal('TOO_MANY_ITEMS', { message: `An organisation can have at most ${mostPartners} partners` })
    if (stateOf(row) === 'partner')
      await onBothSides(
        db,
        id,
        companyId,
        (db) => keepTasks(db, id, companyId),
        (db) => keepTasks(db, companyId, id),
      )
    const changes = tellChanges(null, { companyId, state: stateOf(row) })
    await recordAudit(by, db, id, [{ kind: 'partner.agreed', subjectId: companyId, changes }])
    return row
  })
}

/** Ends it for both, whoever began: asking again begins anew. */
export async function endPartnership(by: Acting, { id }: Organisation, companyId: number): Promise<void> {
  await by.db.transaction(async (db) => {
    const ended = await onBothSides(
      db,
      id,
      companyId,
      (db) => disagree(db, id, companyId),
      (db) => noteEnd(db, companyId, id),
    )
    if (ended === 0) throw new Refusal('PARTNER_NOT_FOUND')
    await noteEnd(db, id, companyId)
    await forgetAsked(db, id, companyId)
    await onBothSides(
      db,
      id,
      companyId,
      (db) => letTasksGo(db, id, companyId),
      (db) => letTasksGo(db, companyId, id),
    )
    await recordAudit(by, db, id, [{ kind: 'partner.ended', subjectId: companyId }])
  })
}

/** Tells partners, and those who were asked, what the organisation is called now. */
export async function tellName(db: Db, organisation: Organisation): Promise<void> {
  for (const partnerId of await listAgreed(db, organisation.id))
    await noteAgreement(db.as(partnerId), partnerId, presentCompany(organisation))
}

const stateOf = ({ agreed_at, they_agreed_at }: PartnerRow): Partner['state'] =>
  agreed_at && they_agreed_at ? 'partner' : agreed_at ? 'asked' : 'invited'

export function presentPartner(row: PartnerRow): Partner {
  const { partner_id, agreed_at, they_agreed_at, company } = row
  const since = Math.max(agreed_at?.getTime() ?? 0, they_agreed_at?.getTime() ?? 0)
  return {
    companyId: partner_id,
    state: stateOf(row),
    company: they_agreed_at ? company : null,
    since: new Date(since).toISOString(),
  }
}
