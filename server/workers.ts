import type { Service } from './context.ts'
import { startForgetting } from './http/idempotency.ts'
import { startSender } from './webhooks/deliver.ts'

export interface Workers {
  wakeSender(): void
  stop(graceMs: number): Promise<void>
}

/** The one list of background work. */
export function startWorkers(service: Omit<Service, 'wakeSender'>): Workers {
  const sender = startSender(service)
  const forgetting = startForgetting(service)
  return {
    wakeSender: sender.wake,
    async stop(graceMs) {
      await Promise.all([sender.stop(graceMs), forgetting.stop()])
    },
  }
}

/** A process that only answers requests leaves the work to the others, who poll. */
export const noWorkers: Workers = { wakeSender: () => {}, stop: async () => {} }
