/** Every error a caller can get. A code is a promise: never renamed, never reused. */
export const errors = {
  INVALID_JSON: [400, 'The body is not valid JSON'],
  BAD_REQUEST: [400, 'The request could not be read'],
  VALIDATION_FAILED: [400, 'Some fields are not valid'],
  INVALID_PHONE: [400, 'This phone number is not valid'],
  ADDRESS_NOT_FOUND: [400, 'The address was not found'],
  INVALID_TIME: [400, 'This is not a valid time'],
  INVALID_TIME_WINDOW: [400, 'The time window ends before it starts'],
  UNKNOWN_PLACEHOLDER: [400, 'The text has a placeholder that does not exist'],
  TOO_MANY_ITEMS: [400, 'Too many items in one request'],
  LOCATION_IN_FUTURE: [400, 'This position is from the future; the clock of the device is wrong'],
  LOCATION_TOO_OLD: [400, 'This position is older than positions are kept'],
  WEBHOOK_URL_FORBIDDEN: [400, 'Webhooks cannot be sent to this address'],
  WEBHOOK_URL_NOT_VERIFIED: [400, 'The webhook URL could not be verified'],
  PUSH_ENDPOINT_FORBIDDEN: [400, 'Push messages cannot be sent to this address'],
  PASSWORD_TOO_COMMON: [400, 'This password is too common; choose another one'],
  NOT_A_PICTURE: [400, 'The file is not a JPEG, PNG or WebP picture'],
  PICTURE_DAMAGED: [400, 'The picture is damaged or incomplete'],
  PICTURE_TOO_LARGE: [400, 'The picture has more than 50 megapixels'],
  UNAUTHORIZED: [401, 'The Authorization header needs a valid key'],
  KEY_EXPIRED: [401, 'This key has expired'],
  SIGN_IN_SUSPENDED: [401, 'This driver may not sign in at the moment; the office can allow it again'],
  FORBIDDEN: [403, 'This key is not allowed to do that'],
  CROSS_SITE: [403, 'A session can only be used from the pages of this server'],
  WRONG_PASSWORD: [403, 'The current password is wrong'],
  FORBIDDEN_BY_SETTING: [403, 'A setting of the organisation does not allow this'],
  NOT_FOUND: [404, 'Nothing found at this address'],
  TASK_NOT_FOUND: [404, 'Task not found'],
  DRIVER_NOT_FOUND: [404, 'Driver not found'],
  TEAM_NOT_FOUND: [404, 'Team not found'],
  HUB_NOT_FOUND: [404, 'Hub not found'],
  WEBHOOK_NOT_FOUND: [404, 'Webhook not found'],
  KEY_NOT_FOUND: [404, 'Key not found'],
  PERSON_NOT_FOUND: [404, 'Person not found'],
  FILE_NOT_FOUND: [404, 'File not found'],
  DEVICE_NOT_FOUND: [404, 'Device not found'],
  ABSENCE_NOT_FOUND: [404, 'Absence not found'],
  CONFLICT_NOT_FOUND: [404, 'Conflict not found'],
  FORM_NOT_FOUND: [404, 'Form not found'],
  PARTNER_NOT_FOUND: [404, 'Partner not found'],
  PROOF_LINK_NOT_FOUND: [404, 'This link does not exist, or no longer works'],
  REASON_NOT_FOUND: [404, 'Reason not found'],
  SCHEDULE_NOT_FOUND: [404, 'Schedule not found'],
  TEMPLATE_NOT_FOUND: [404, 'Template not found'],
  HOLIDAY_NOT_FOUND: [404, 'Holiday not found'],
  MESSAGE_NOT_FOUND: [404, 'Message not found'],
  UNDO_NOT_FOUND: [404, 'There is nothing to undo: it was undone already, or an hour has passed'],
  EVENT_NOT_FOUND: [404, 'This webhook has no such event'],
  METHOD_NOT_ALLOWED: [405, 'This address does not support this method'],
  REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  AWB_TAKEN: [409, 'Another task already has this AWB'],
  ADDRESS_CHANGED: [409, 'The address of this task has changed meanwhile'],
  TASK_ALREADY_PROCESSED: [409, 'The task is already processed'],
  TASK_NOT_ASSIGNED: [409, 'The task is not assigned to a driver'],
  TASK_NOT_ACCEPTED: [409, 'The driver must accept the task before starting it'],
  TASK_NOT_STARTED: [409, 'The task has not been started'],
  TASK_IN_TRANSIT: [409, 'The task is in transit'],
  DRIVER_NOT_DELETED: [409, 'Only a driver who was deleted can be erased'],
  DRIVER_INACTIVE: [409, 'The driver is not active: they cannot sign in or get tasks'],
  DRIVER_BUSY: [409, 'The driver has a task in transit'],
  OFF_DUTY: [409, 'The driver was off duty then; positions are only kept on duty'],
  DEPENDENCY_OPEN: [409, 'A task this one depends on has not succeeded yet'],
  ORDER_BREAKS_DEPENDENCY: [409, 'A task would come before one it depends on'],
  SIGNATURE_REQUIRED: [409, 'This task needs a signature before it can be completed'],
  PAYMENT_TOO_MUCH: [409, 'This is more than is left to be paid'],
  PAYMENT_PARTIAL: [409, 'The whole amount must be paid at once'],
  PAYMENT_REQUIRED: [409, 'This task must be paid before it can be completed'],
  FORM_REQUIRED: [409, 'The form of this task must be filled in first'],
  FEEDBACK_GIVEN: [409, 'Feedback was already given for this task'],
  TASK_NOT_ENDED: [409, 'The task has not ended yet'],
  INSTRUCTIONS_CLOSED: [409, 'The driver has arrived or the task has ended; instructions would not be read'],
  PHOTO_REQUIRED: [409, 'This reason needs a photo'],
  NOTE_REQUIRED: [409, 'This reason needs a note that says more'],
  TASK_ERASED: [409, 'The personal data of this task was erased; it cannot be changed or used again'],
  TASK_HAS_DRIVER: [409, 'The task has a driver; unassign it first'],
  TASK_DELEGATED: [409, 'The task was given to a partner, who does this; take it back first'],
  TASK_OF_PARTNER: [409, 'The task belongs to a partner; give it back instead'],
  TASK_NOT_DELEGATED: [409, 'The task is not with a partner, and from none'],
  CURRENCY_DIFFERS: [409, 'The partner has another currency'],
  CURRENCY_IN_USE: [409, 'Open tasks are shared with partners; the currency stays, and so do decimals that they have'],
  CHAIN_TOO_LONG: [409, 'The task was handed on too often'],
  TASK_NOT_FAILED: [409, 'Only a task that failed can be tried again, brought back or left as it is'],
  TASK_REATTEMPTED: [409, 'The task is tried again already'],
  TASK_RETURNED: [409, 'The parcel is brought back already'],
  TRY_PAID: [
    409,
    'Money was paid for this next try; take it back first, delete the try, then add it to the task before',
  ],
  ATTEMPTS_EXHAUSTED: [409, 'The task was tried as often as the settings allow'],
  NOTHING_TO_RETURN: [409, 'There is no parcel to bring back: the task was a pickup, or is a return itself'],
  NO_RETURN_ADDRESS: [409, 'There is no hub to bring the parcel to; create one, or give an address'],
  REATTEMPT_CLOSED: [409, 'Another day can no longer be chosen for this task'],
  TASK_FULL: [409, 'The task cannot hold more of this'],
  WRONG_PARCEL: [409, 'This is the code of another parcel'],
  TOO_LATE: [409, 'Something else has happened to the task since; it cannot be taken back'],
  CASH_DAY_CLOSED: [409, 'This day of the driver is closed already; what changes later is a correction'],
  CASH_DAY_OPEN: [409, 'This day of the driver is not closed yet'],
  CASH_NOTE_REQUIRED: [409, 'A note has to say why the cash differs'],
  CONFLICT_SETTLED: [409, 'This conflict is already settled'],
  FILE_TAKEN: [409, 'There is already another file with this id'],
  FILE_IN_USE: [409, 'This file already belongs to something else; upload it again'],
  HUB_IN_USE: [409, 'A team still uses this hub'],
  KEY_REPLACED: [409, 'This key was already rotated; rotate the key that replaced it'],
  REASON_TAKEN: [409, 'Another reason already has this code'],
  EMAIL_TAKEN: [409, 'This email address is already in use'],
  LAST_ADMIN: [409, 'The organisation needs at least one admin'],
  MESSAGE_NOT_RETRYABLE: [409, 'A message that waits, was sent or was erased cannot be sent again'],
  MESSAGE_NO_CHANNEL: [409, 'This server is not set up to send this kind of message'],
  MESSAGE_LIMIT: [409, 'As many messages as the settings allow were sent today'],
  WEBHOOK_DISABLED: [409, 'The webhook is disabled; enable it first'],
  IDEMPOTENCY_IN_PROGRESS: [409, 'The first request with this idempotency key is still running'],
  PAYLOAD_TOO_LARGE: [413, 'The body is too large'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The body must be JSON (Content-Type: application/json)'],
  IDEMPOTENCY_MISMATCH: [422, 'This idempotency key was already used for another request'],
  RATE_LIMITED: [429, 'Too many requests; try again later'],
  INTERNAL: [500, 'Something went wrong on the server; use the request id to find it in the log'],
  PLANNER_BUSY: [503, 'The planner is busy; try again shortly'],
  DISK_FULL: [503, 'The server’s disk is full; nothing can be saved until there is space'],
  OVERLOADED: [503, 'The service is busy or restarting; try again shortly'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof errors

/** What a field breaks, for programs that say it in words of their own. Like codes, never renamed. */
export const fieldRules = {
  required: 'It is missing',
  minLength: 'It has fewer than `limit` characters',
  maxLength: 'It has more than `limit` characters',
  minimum: 'It is less than `limit`',
  maximum: 'It is more than `limit`',
  minItems: 'It has fewer than `limit` items',
  maxItems: 'It has more than `limit` items',
  wholeNumber: 'It is not a whole number',
  decimals:
    'It has more than `limit` decimals; how many money may have is `moneyDecimals` of the organisation, at most 2',
  type: 'It is of another type',
  enum: 'It is none of the values that are allowed',
  email: 'It is not an email address',
  format: 'It is not written as it should be',
} as const
export type FieldRule = keyof typeof fieldRules

/** The rule, and its number if it has one. */
interface Broken {
  rule?: FieldRule | undefined
  limit?: number | undefined
}

export interface ErrorDetail extends Broken {
  field: string
  code: ErrorCode
  message: string
}

interface RefusalOptions extends Broken {
  /** A sentence for this case; defaults to the one in the catalogue. */
  message?: string
  /** The body field with the problem, dotted: `address.lat`. */
  field?: string
  details?: ErrorDetail[]
  /** Overrides the catalogue: an unknown id is 404 in a path, but 400 inside a body. */
  status?: number
  retryAfterSeconds?: number
}

/** "No", with a reason the caller can act on. Thrown for a single request, returned per item in bulk. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly field: string | undefined
  readonly rule: FieldRule | undefined
  readonly limit: number | undefined
  readonly details: ErrorDetail[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** Something about it was written, and is to stay although the request is refused. */
  isRecorded = false
  /** The original item, if it could not be read. */
  given: unknown

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    super(options.message ?? errors[code][1])
    this.code = code
    this.status = options.status ?? errors[code][0]
    this.field = options.field
    this.rule = options.rule
    this.limit = options.limit
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** A refusal as it is shown, of a request or of an item. */
export const presentRefusal = ({ code, message, field, rule, limit }: Refusal) => ({
  code,
  message,
  ...(field && { field }),
  ...(rule && { rule }),
  ...(limit !== undefined && { limit }),
})

/** An unknown id inside a body is a mistake in the body, and its field is named. */
export const unknownInBody = (code: ErrorCode, field: string, message?: string) =>
  new Refusal(code, { status: 400, field, ...(message !== undefined && { message }) })

/** Returns the value or throws the refusal, for a caller that passes one item to an action that takes many. */
export function orThrow<Value>(result: Value | Refusal | undefined): Value {
  if (result === undefined) throw new Error('An action must return one result per item')
  if (result instanceof Refusal) throw result
  return result
}
