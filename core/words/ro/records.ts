import { auditWords } from './records/audit.ts'
import { privacyWords } from './records/privacy.ts'

export const recordWords = {
  ...auditWords,
  ...privacyWords,
} as const
