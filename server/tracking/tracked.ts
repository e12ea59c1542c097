import { type ErrorCode, Refusal } from '../../contract/errors.ts'
import { isEnded } from '../../core/task-status.ts'
import { type Actor, type Context, contextOf, type Service } from '../context.ts'
import type { Organisation } from '../organisations/queries.ts'
import { findTracked } from './queries.ts'

/** Someone with the link to a task; we do not know who. */
const customer: Actor = { type: 'SYSTEM', id: null, name: 'Customer' }

/** A task whose tracking page is open. */
export interface Tracked {
  id: number
  organisation: Organisation
  /** What the customer may use: their organisation only. */
  context: Context
}

/** When the tracking page of a task closes; null while the task is open. */
export function closingOf(
  { status_id, completed_at }: Pick<NonNullable<Awaited<ReturnType<typeof findTracked>>>, 'status_id' | 'completed_at'>,
  { config }: Pick<Service, 'config'>,
): Date | null {
  if (!completed_at || !isEnded({ statusId: status_id })) return null
  return new Date(completed_at.getTime() + config.trackingHours * 3_600_000)
}

/** The task behind a link. One that was never given, one of a deleted task and one that has closed look the same. */
export async function getTracked(
  service: Service,
  uuid: string,
  missing: ErrorCode = 'TASK_NOT_FOUND',
): Promise<Tracked> {
  const found = await findTracked(service.database.everyone, uuid)
  const closesAt = found && closingOf(found, service)
  if (!found || (closesAt && closesAt <= service.clock.now())) throw new Refusal(missing)
  const { id, organisation } = found
  return { id, organisation, context: contextOf(service, organisation.id, customer) }
}
