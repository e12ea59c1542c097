import { accessWords } from './records/access.ts'
import { auditWords } from './records/audit.ts'
import { formPageWords } from './records/forms.ts'
import { messagePageWords } from './records/messages.ts'
import { privacyWords } from './records/privacy.ts'
import { reasonPageWords } from './records/reasons.ts'
import { statisticsWords } from './records/statistics.ts'

/** What the pages of the audit log, forms, messages, privacy, reasons and statistics say besides. It travels when one of them is opened. */
export const recordWords = {
  ...accessWords,
  ...auditWords,
  ...formPageWords,
  ...reasonPageWords,
  ...messagePageWords,
  ...privacyWords,
  ...statisticsWords,
} as const
