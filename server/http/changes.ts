import type { Changed } from '../../contract/event.ts'
import type { Signal } from '../db/signal.ts'

/** Says that something else than a task has changed. To be called after the commit, or others look too early. */
export function announceChanges(
  signal: Pick<Signal, 'hint'>,
  organisationId: number,
  changed: readonly Changed[] | undefined = [],
) {
  for (const what of changed) signal.hint({ organisationId, kind: 'changed', about: what })
}
