import { Refusal } from '../../contract/errors.ts'
import type { ReasonInput, ReasonUpdate } from '../../contract/reason.ts'
import { tellChanges } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { violatedUnique } from '../db/faults.ts'
import {
  deleteReason as deleteReasonRow,
  insertReason,
  lockReason,
  type ReasonFields,
  type ReasonRow,
  saveReason,
} from './queries.ts'

export async function createReason(context: Context, organisationId: number, input: ReasonInput): Promise<ReasonRow> {
  const label = input.label ?? Object.values(input.labels ?? {})[0]
  if (label === undefined)
    throw new Refusal('VALIDATION_FAILED', { field: 'label', message: 'label is required', rule: 'required' })
  const fields = { label, labels: {}, photo_required: false, note_required: false }
  try {
    return await context.db.transaction(async (db) => {
      const reason = await insertReason(db, organisationId, { code: input.code, ...mergeReason(fields, input) })
      const changes = tellChanges(null, { code: reason.code, ...tellReason(reason) })
      await recordAudit(context, db, organisationId, [{ kind: 'reason.created', subjectId: reason.id, changes }])
      return reason
    })
  } catch (error) {
    throw violatedUnique(error) === 'reasons_code' ? new Refusal('REASON_TAKEN', { field: 'code' }) : error
  }
}

export const updateReason = (context: Context, organisationId: number, id: number, input: ReasonUpdate) =>
  context.db.transaction(async (db): Promise<ReasonRow> => {
    const before = await lockReason(db, organisationId, id)
    if (!before) throw new Refusal('REASON_NOT_FOUND')
    const after = mergeReason(before, input)
    const changes = tellChanges(tellReason(before), tellReason(after))
    if (changes.length > 0)
      await recordAudit(context, db, organisationId, [{ kind: 'reason.changed', subjectId: id, changes }])
    return saveReason(db, organisationId, id, after)
  })

export const deleteReason = (context: Context, organisationId: number, id: number) =>
  context.db.transaction(async (db) => {
    const before = await lockReason(db, organisationId, id)
    if (!before) throw new Refusal('REASON_NOT_FOUND')
    await deleteReasonRow(db, organisationId, id)
    const changes = tellChanges({ code: before.code, ...tellReason(before) }, null)
    await recordAudit(context, db, organisationId, [{ kind: 'reason.deleted', subjectId: id, changes }])
  })

/** What the audit log compares. */
const tellReason = ({ label, labels, photo_required, note_required }: ReasonFields) => ({
  label,
  labels,
  photoRequired: photo_required,
  noteRequired: note_required,
})

const mergeReason = (before: ReasonFields, input: ReasonUpdate): ReasonFields => ({
  label: input.label ?? before.label,
  labels: input.labels ?? before.labels,
  photo_required: input.photoRequired ?? before.photo_required,
  note_required: input.noteRequired ?? before.note_required,
})
