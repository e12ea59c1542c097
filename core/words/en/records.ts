import { auditWords } from './records/audit.ts'
import { messagePageWords } from './records/messages.ts'
import { privacyWords } from './records/privacy.ts'
import { statisticsWords } from './records/statistics.ts'

/** What the pages of the audit log, messages, privacy and statistics say besides. It travels when one of them is opened. */
export const recordWords = {
  ...auditWords,
  ...messagePageWords,
  ...privacyWords,
  ...statisticsWords,
} as const
