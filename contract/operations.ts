import type { Static, TObject } from 'typebox'
import { auditOperations } from './operations/audit.ts'
import { cashOperations } from './operations/cash.ts'
import { companyOperations } from './operations/company.ts'
import { conflictOperations } from './operations/conflicts.ts'
import { driverSideOperations } from './operations/driver-side.ts'
import { driverOperations } from './operations/drivers.ts'
import { eventOperations } from './operations/events.ts'
import { fileOperations } from './operations/files.ts'
import { formOperations } from './operations/forms.ts'
import { hubOperations } from './operations/hubs.ts'
import { keyOperations } from './operations/keys.ts'
import { labelOperations } from './operations/labels.ts'
import { messageOperations } from './operations/messages.ts'
import type { Operation } from './operations/operation.ts'
import { partnerOperations } from './operations/partners.ts'
import { paymentOperations } from './operations/payments.ts'
import { peopleOperations } from './operations/people.ts'
import { placeOperations } from './operations/places.ts'
import { planningOperations } from './operations/planning.ts'
import { privacyOperations } from './operations/privacy.ts'
import { proofOperations } from './operations/proof.ts'
import { reasonOperations } from './operations/reasons.ts'
import { reportOperations } from './operations/reports.ts'
import { scanOperations } from './operations/scans.ts'
import { scheduleOperations } from './operations/schedules.ts'
import { taskOperations } from './operations/tasks.ts'
import { teamOperations } from './operations/teams.ts'
import { trackingOperations } from './operations/tracking.ts'
import { tryOperations } from './operations/tries.ts'
import { webhookOperations } from './operations/webhooks.ts'

export { type Operation, takesIdempotencyKey } from './operations/operation.ts'

/**
 * Every endpoint, in the order of the documentation. The server mounts this table; OpenAPI, the SDK and the tests are
 * made from it.
 */
export const operations = {
  ...taskOperations,
  ...tryOperations,
  ...scheduleOperations,
  ...placeOperations,
  ...paymentOperations,
  ...cashOperations,
  ...planningOperations,
  ...driverOperations,
  ...teamOperations,
  ...hubOperations,
  ...scanOperations,
  ...driverSideOperations,
  ...formOperations,
  ...trackingOperations,
  ...proofOperations,
  ...labelOperations,
  ...conflictOperations,
  ...fileOperations,
  ...reasonOperations,
  ...reportOperations,
  ...messageOperations,
  ...webhookOperations,
  ...eventOperations,
  ...companyOperations,
  ...partnerOperations,
  ...keyOperations,
  ...peopleOperations,
  ...auditOperations,
  ...privacyOperations,
} as const satisfies Record<string, Operation>

export type Operations = typeof operations
export type OperationName = keyof Operations

type Part<Name extends OperationName, Key extends 'params' | 'query' | 'body'> = Operations[Name] extends {
  [key in Key]: infer Schema extends TObject
}
  ? Static<Schema>
  : undefined

export interface Input<Name extends OperationName> {
  params: Part<Name, 'params'>
  query: Part<Name, 'query'>
  body: Part<Name, 'body'>
}

/** The response of an operation, without `success`. */
export type Answer<Name extends OperationName> = Omit<Static<Operations[Name]['reply']>, 'success'>
