import { mostReportDays } from '../../../contract/limits.ts'
import type { EtaFigures, EtaReport, EtaReportQuery } from '../../../contract/report.ts'
import type { Context } from '../../context.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { type PromiseFigures, sumPromises } from '../promises.ts'
import { readSpan } from '../time-span.ts'

const longestHours = mostReportDays * 24 + 1
const closeSeconds = 600

/** How well the arrivals that were promised in a time came true. */
export async function reportEtas(
  { db, clock }: Context,
  { id, timezone }: Organisation,
  query: EtaReportQuery,
): Promise<EtaReport> {
  const span = readSpan(query, timezone, clock.now(), longestHours)
  const [all, ...hours] = await sumPromises(db, id, span, timezone, closeSeconds)
  return {
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    ...presentFigures(all as PromiseFigures),
    hours: hours.map((one) => ({ hour: one.hour as number, ...presentFigures(one) })),
  }
}

const presentFigures = ({ promises, open, error_seconds, late_seconds, close }: PromiseFigures): EtaFigures => ({
  promises,
  open,
  meanErrorSeconds: error_seconds,
  meanLateSeconds: late_seconds,
  withinTenMinutes: close,
  shareWithinTenMinutes: promises === 0 ? null : Math.round((1000 * close) / promises) / 1000,
})
