import type { JsonEventFacts } from '../../events/record.ts'
import type { Claimed } from '../../sending/parts.ts'
import type { DeliveryRow } from '../queries.ts'

/** A delivery claimed by a worker, with everything needed to send it. */
export type ClaimedDelivery = Claimed &
  DeliveryRow & {
    event: JsonEventFacts
    task: string
    url: string
    /** Two while a secret is being rotated. */
    secrets: string[]
  }
