import { accessWords } from './console/access.ts'
import { adminWords } from './console/admin.ts'
import { conflictWords } from './console/conflicts.ts'
import { dispatchWords } from './console/dispatch.ts'
import { formWords } from './console/forms.ts'
import { generalWords } from './console/general.ts'
import { linkWords } from './console/links.ts'
import { listWords } from './console/lists.ts'
import { mapWords } from './console/map.ts'
import { messageWords } from './console/messages.ts'
import { paymentWords } from './console/payments.ts'
import { planningWords } from './console/planning.ts'
import { proofWords } from './console/proof.ts'
import { reasonWords } from './console/reasons.ts'
import { taskWords } from './console/tasks.ts'
import { errorWords } from './errors.ts'
import { sharedWords } from './shared.ts'

/** Everything the console says. */
export const consoleWords = {
  ...sharedWords,
  ...errorWords,
  ...accessWords,
  ...adminWords,
  ...conflictWords,
  ...dispatchWords,
  ...formWords,
  ...generalWords,
  ...linkWords,
  ...listWords,
  ...mapWords,
  ...messageWords,
  ...paymentWords,
  ...planningWords,
  ...proofWords,
  ...reasonWords,
  ...taskWords,
} as const
