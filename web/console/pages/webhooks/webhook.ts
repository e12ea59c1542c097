import type { Answer } from '../../../../contract/operations.ts'

export type Webhook = Answer<'listWebhooks'>['webHooks'][number]
export type Delivery = Answer<'listDeliveries'>['deliveries'][number]
