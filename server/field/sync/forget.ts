import type { Service } from '../../context.ts'
import { forgetOps } from './queries.ts'

const atOnce = 1_000

/** Forgets ops that no phone sends again. */
export async function forgetOldOps({ database }: Pick<Service, 'database'>, stopping: AbortSignal) {
  while (!stopping.aborted && (await forgetOps(database.everyone, atOnce)) === atOnce);
}
