import { accessWords } from './records/access.ts'
import { auditWords } from './records/audit.ts'
import { formPageWords } from './records/forms.ts'
import { messagePageWords } from './records/messages.ts'
import { privacyWords } from './records/privacy.ts'
import { reasonPageWords } from './records/reasons.ts'
import { statisticsWords } from './records/statistics.ts'

export const recordWords = {
  ...accessWords,
  ...auditWords,
  ...formPageWords,
  ...reasonPageWords,
  ...messagePageWords,
  ...privacyWords,
  ...statisticsWords,
} as const
