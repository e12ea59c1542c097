import { Refusal } from '../../contract/errors.ts'
import type { ReasonInput, ReasonUpdate } from '../../contract/reason.ts'
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

export async function createReason({ db }: Context, organisationId: number, input: ReasonInput): Promise<ReasonRow> {
  const label = input.label ?? Object.values(input.labels ?? {})[0]
  if (label === undefined) throw new Refusal('VALIDATION_FAILED', { field: 'label', message: 'label is required' })
  const fields = { label, labels: {}, photo_required: false, note_required: false }
  try {
    return await insertReason(db, organisationId, { code: input.code, ...mergeReason(fields, input) })
  } catch (error) {
    throw violatedUnique(error) === 'reasons_code' ? new Refusal('REASON_TAKEN', { field: 'code' }) : error
  }
}

export const updateReason = (context: Context, organisationId: number, id: number, input: ReasonUpdate) =>
  context.db.transaction(async (db): Promise<ReasonRow> => {
    const before = await lockReason(db, organisationId, id)
    if (!before) throw new Refusal('REASON_NOT_FOUND')
    return saveReason(db, organisationId, id, mergeReason(before, input))
  })

export async function deleteReason({ db }: Context, organisationId: number, id: number) {
  if ((await deleteReasonRow(db, organisationId, id)) === 0) throw new Refusal('REASON_NOT_FOUND')
}

const mergeReason = (before: ReasonFields, input: ReasonUpdate): ReasonFields => ({
  label: input.label ?? before.label,
  labels: input.labels ?? before.labels,
  photo_required: input.photoRequired ?? before.photo_required,
  note_required: input.noteRequired ?? before.note_required,
})
