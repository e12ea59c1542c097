import { accessWords } from './records/access.ts'
import { auditWords } from './records/audit.ts'
import { connectionWords } from './records/connections.ts'
import { fleetWords } from './records/fleet.ts'
import { formPageWords } from './records/forms.ts'
import { messagePageWords } from './records/messages.ts'
import { privacyWords } from './records/privacy.ts'
import { reasonPageWords } from './records/reasons.ts'
import { schedulePageWords } from './records/schedules.ts'
import { statisticsWords } from './records/statistics.ts'
import { toDecideWords } from './records/to-decide.ts'

/**
 * What the pages of the audit log, drivers, teams, hubs, forms, keys, messages, people, privacy, reasons, statistics, webhooks
 * and of tasks that wait for a decision say besides. It travels when one of them is opened.
 */
export const recordWords = {
  ...accessWords,
  ...auditWords,
  ...connectionWords,
  ...fleetWords,
  ...formPageWords,
  ...reasonPageWords,
  ...messagePageWords,
  ...privacyWords,
  ...schedulePageWords,
  ...statisticsWords,
  ...toDecideWords,
} as const
