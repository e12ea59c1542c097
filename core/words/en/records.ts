import { auditWords } from './records/audit.ts'
import { privacyWords } from './records/privacy.ts'

/** What the pages of the audit log and of privacy say besides. Few people open them, so their texts travel only then. */
export const recordWords = {
  ...auditWords,
  ...privacyWords,
} as const
