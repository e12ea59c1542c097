import { auditWords } from './records/audit.ts'
import { messagePageWords } from './records/messages.ts'
import { privacyWords } from './records/privacy.ts'
import { statisticsWords } from './records/statistics.ts'

export const recordWords = {
  ...auditWords,
  ...messagePageWords,
  ...privacyWords,
  ...statisticsWords,
} as const
