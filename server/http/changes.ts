import type { Changed } from '../../contract/event.ts'
import type { Notices } from '../db/notices.ts'
import { hints } from '../topics.ts'

/** Announces that something other than a task has changed. Call it after the commit, or readers look too early. */
export function announceChanges(
  notices: Notices,
  organisationId: number,
  changed: readonly Changed[] | undefined = [],
) {
  for (const what of changed) notices.tell(hints, { organisationId, kind: 'changed', about: what })
}
