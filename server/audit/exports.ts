import type { Context } from '../context.ts'
import { isUnavailable } from '../db/faults.ts'
import { type NewEntry, recordAudit } from './record.ts'

/** Writes down what is being read. Reading must work even if nothing can be written; then the server's log says so. */
export async function recordReading(context: Context, organisationId: number, entries: NewEntry[]) {
  try {
    await recordAudit(context, context.db, organisationId, entries)
  } catch (err) {
    if (!isUnavailable(err)) throw err
    context.log.warn({ err }, 'What was exported could not be written into the audit log')
  }
}
