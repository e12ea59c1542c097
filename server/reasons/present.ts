import type { Reason } from '../../contract/reason.ts'
import type { ReasonRow } from './queries.ts'

export const presentReason = (reason: ReasonRow): Reason => ({
  id: reason.id,
  code: reason.code,
  label: reason.label,
  labels: reason.labels,
  photoRequired: reason.photo_required,
  noteRequired: reason.note_required,
  createdAt: reason.created_at.toISOString(),
  updatedAt: reason.updated_at.toISOString(),
})
