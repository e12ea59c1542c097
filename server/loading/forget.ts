import type { Service } from '../context.ts'
import { forgetScans } from './queries.ts'

const atOnce = 1_000

/** Forgets scans that nobody looks for any more. What belongs to a task stays in its timeline. */
export async function forgetOldScans({ database }: Pick<Service, 'database'>, stopping: AbortSignal) {
  while (!stopping.aborted && (await forgetScans(database.everyone, atOnce)) === atOnce);
}
