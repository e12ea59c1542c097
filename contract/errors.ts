/** Every error a caller can meet. A code is a promise: never renamed, never reused. */
export const errors = {
  INVALID_JSON: [400, 'The body is not valid JSON'],
  BAD_REQUEST: [400, 'This is not a request we can read'],
  VALIDATION_FAILED: [400, 'Some fields are not valid'],
  INVALID_PHONE: [400, 'This is not a possible phone number'],
  INVALID_TIME: [400, 'This is not a time we can read'],
  INVALID_TIME_WINDOW: [400, 'The time window ends before it begins'],
  TOO_MANY_ITEMS: [400, 'There are too many items in one request'],
  WEBHOOK_URL_FORBIDDEN: [400, 'Webhooks may not be sent to this address'],
  WEBHOOK_URL_NOT_VERIFIED: [400, 'The webhook url could not be verified'],
  UNAUTHORIZED: [401, 'A valid key is needed in the Authorization header'],
  KEY_EXPIRED: [401, 'This key has expired'],
  FORBIDDEN: [403, 'This key does not have the right to do that'],
  CROSS_SITE: [403, 'A session works only for the pages of this server'],
  WRONG_PASSWORD: [403, 'The current password is wrong'],
  FORBIDDEN_BY_SETTING: [403, 'A setting of the organisation forbids that'],
  NOT_FOUND: [404, 'There is nothing at this address'],
  TASK_NOT_FOUND: [404, 'No task has this reference'],
  DRIVER_NOT_FOUND: [404, 'No driver has this id'],
  TEAM_NOT_FOUND: [404, 'No team has this id'],
  HUB_NOT_FOUND: [404, 'No hub has this id'],
  WEBHOOK_NOT_FOUND: [404, 'No webhook has this id'],
  KEY_NOT_FOUND: [404, 'No key has this id'],
  PERSON_NOT_FOUND: [404, 'No person has this id'],
  EVENT_NOT_FOUND: [404, 'No event of this webhook has this id'],
  METHOD_NOT_ALLOWED: [405, 'This address does not take this method'],
  AWB_TAKEN: [409, 'Another task already has this awb'],
  TASK_ALREADY_PROCESSED: [409, 'The task is already processed'],
  TASK_NOT_ASSIGNED: [409, 'The task is not assigned to a driver'],
  TASK_NOT_ACCEPTED: [409, 'The task must be accepted before it is started'],
  TASK_NOT_STARTED: [409, 'The task has not been started'],
  TASK_IN_TRANSIT: [409, 'The task is in transit'],
  DRIVER_BUSY: [409, 'The driver has a task in transit'],
  DEPENDENCY_OPEN: [409, 'A task this one depends on has not succeeded yet'],
  ORDER_BREAKS_DEPENDENCY: [409, 'A task would come before one it depends on'],
  SIGNATURE_REQUIRED: [409, 'A signature is needed to complete this task'],
  HUB_IN_USE: [409, 'A team still uses this hub'],
  KEY_REPLACED: [409, 'This key was rotated before; rotate the one that replaced it'],
  EMAIL_TAKEN: [409, 'Somebody already signs in with this e-mail address'],
  LAST_ADMIN: [409, 'The organisation would be left without an admin'],
  WEBHOOK_DISABLED: [409, 'The webhook is switched off; enable it first'],
  IDEMPOTENCY_IN_PROGRESS: [409, 'The first request with this idempotency key is still running'],
  PAYLOAD_TOO_LARGE: [413, 'The body is larger than this address takes'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The body must be JSON (content-type: application/json)'],
  IDEMPOTENCY_MISMATCH: [422, 'This idempotency key was used with another request'],
  RATE_LIMITED: [429, 'Too many requests; try again later'],
  INTERNAL: [500, 'Something went wrong on our side; the request id helps us to find it'],
  PLANNER_BUSY: [503, 'Too many plans are being made at the moment; try again shortly'],
  OVERLOADED: [503, 'The service is busy or restarting; try again shortly'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof errors

export interface ErrorDetail {
  field: string
  code: ErrorCode
  message: string
}

interface RefusalOptions {
  /** A sentence for this very case; the catalogue's is used otherwise. */
  message?: string
  /** The body field the refusal speaks of, dotted: `address.lat`. */
  field?: string
  details?: ErrorDetail[]
  /** Overrides the catalogue: an unknown id is 404 in a path, but 400 inside a body. */
  status?: number
  retryAfterSeconds?: number
}

/** "No", with a reason the caller can act on. Thrown where one thing was asked, returned per item where many were. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly field: string | undefined
  readonly details: ErrorDetail[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** What came in the place of an item that could not be read. */
  given: unknown

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    super(options.message ?? errors[code][1])
    this.code = code
    this.status = options.status ?? errors[code][0]
    this.field = options.field
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The value, or the refusal thrown: for a caller that asked for one thing of an action that takes many. */
export function orThrow<Value>(result: Value | Refusal | undefined): Value {
  if (result === undefined) throw new Error('An action must return one result per item')
  if (result instanceof Refusal) throw result
  return result
}
