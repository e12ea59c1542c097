import type { Changed } from '../../contract/event.ts'
import type { Notices } from '../db/notices.ts'
import { hints } from '../topics.ts'

/** Says that something else than a task has changed. To be called after the commit, or others look too early. */
export function announceChanges(
  notices: Notices,
  organisationId: number,
  changed: readonly Changed[] | undefined = [],
) {
  for (const what of changed) notices.tell(hints, { organisationId, kind: 'changed', about: what })
}
