import type { Service } from './context.ts'
import { startGeocoding } from './geocoding/work.ts'
import { startForgetting } from './http/idempotency.ts'
import { startAutoAssign } from './planning/fleet/auto-assign.ts'
import { startSeparating } from './tasks/customers/separate.ts'
import { startRetention } from './tasks/retention.ts'
import { keepAttemptLog, startUpkeep } from './webhooks/attempt-log.ts'
import { startSender } from './webhooks/sending/sender.ts'

export interface Workers {
  stop(graceMs: number): Promise<void>
}

/** The one list of background work. */
export async function startWorkers(service: Service, databaseUrl: string): Promise<Workers> {
  await keepAttemptLog(databaseUrl, service.config.webhooks.logDays)
  const sender = startSender(service)
  const forgetting = startForgetting(service)
  const retention = startRetention(service)
  const separating = startSeparating(service)
  const upkeep = startUpkeep(service, databaseUrl)
  const geocoding = startGeocoding(service)
  const autoAssign = startAutoAssign(service)
  return {
    async stop(graceMs) {
      const others = [forgetting, retention, separating, upkeep, geocoding, autoAssign]
      await Promise.all([sender.stop(graceMs), ...others.map((one) => one.stop())])
    },
  }
}

/** A process that only answers requests leaves the work to the others. */
export const noWorkers: Workers = { stop: async () => {} }
