import assert from 'node:assert/strict'

/** Checks a value and returns a sentence for each problem; none if it is as the interface says. */
export type Type = (value: unknown, at: string) => string[]

const is =
  (what: string, test: (value: unknown) => boolean): Type =>
  (value, at) =>
    test(value) ? [] : [`${at} should be ${what}, but is ${JSON.stringify(value)}`]

const matching = (what: string, pattern: RegExp) =>
  is(what, (value) => typeof value === 'string' && pattern.test(value))

const integer = is('an integer', Number.isSafeInteger)
const number = is('a number', Number.isFinite)
const string = is('a string', (value) => typeof value === 'string')
const boolean = is('a boolean', (value) => typeof value === 'boolean')
const array = is('an array', Array.isArray)
const anObject = is('an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value))
/** For fields of which the interface only says that they may be null. */
const anything = is('given', (value) => value !== undefined)
const hexColor = matching('a hex color', /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i)
const clock = matching('a time HH:MM', /^([01]\d|2[0-3]):[0-5]\d$/)
const numeric = is('an integer or a numeric string', (value) => /^\d+$/.test(String(value)))
const secret = matching('a string without a key in it', /^(?!AIza)/)

export const timestamp = matching('ISO 8601 in UTC with milliseconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const exactly = (wanted: unknown) => is(JSON.stringify(wanted), (value) => value === wanted)

const oneOf = (...values: unknown[]) => is(`one of ${values.join(', ')}`, (value) => values.includes(value))

const orNull =
  (type: Type): Type =>
  (value, at) =>
    value === null ? [] : type(value, at)

const orAbsent =
  (type: Type): Type =>
  (value, at) =>
    value === undefined ? [] : type(value, at)

const listOf =
  (type: Type): Type =>
  (value, at) =>
    Array.isArray(value) ? value.flatMap((element, index) => type(element, `${at}[${index}]`)) : array(value, at)

/** An object with all of these fields, and possibly more. */
const fields =
  (table: Record<string, Type>): Type =>
  (value, at) => {
    const wrong = anObject(value, at)
    if (wrong.length > 0) return wrong
    return Object.entries(table).flatMap(([name, type]) =>
      type((value as Record<string, unknown>)[name], `${at}.${name}`),
    )
  }

/** Fields of one type, for tables that name many in a row. */
const each = <Name extends string>(type: Type, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, type])) as Record<Name, Type>

/** A JSON-encoded list of objects with `field_key` and `answer`. */
const mobileTaskForm: Type = (value, at) => {
  if (typeof value !== 'string') return string(value, at)
  return listOf(fields({ field_key: anything, answer: anything }))(JSON.parse(value), at)
}

export function assertIs(type: Type, value: unknown, name: string) {
  assert.deepEqual(type(value, name), [])
}

const named = fields({ id: integer, name: string })

const address = fields({
  id: orAbsent(integer),
  ...each(number, 'lat', 'lng'),
  address: string,
  ...each(orNull(string), 'addressSecondLine', 'city', 'area', 'streetNumber', 'streetName', 'postalCode'),
  country: string,
})

const customer = fields({
  id: integer,
  name: string,
  ...each(orNull(string), 'address', 'addressSecondLine', 'email'),
  phone: string,
  ...each(orNull(number), 'lat', 'lng'),
  ...each(timestamp, 'createdAt', 'updatedAt'),
  companyId: integer,
})

const companyFields = {
  id: integer,
  name: string,
  logo: string,
  email: string,
  phone: orNull(string),
  paying: orAbsent(boolean),
}

const company = fields(companyFields)

const companyOfDriver = fields({
  ...companyFields,
  timezone: is('an IANA zone name', (value) => typeof value === 'string' && isZone(value)),
  currency: string,
  country: fields({ id: string, name: string }),
  driverTransportation: orNull(anything),
  shiftTimes: array,
})

const settings = fields({
  ...each(
    boolean,
    'enableRouteOptimization',
    'canExecutorsModifyDelegatedTasks',
    'canExecutorsUndelegateTasks',
    'displayTransportationDetails',
    'displayDestinationDetails',
    'displayCallButton',
    'displayMessageButton',
    'enableRecipientFeedback',
    'enableTeamAssignment',
    'enableAWB',
    'disableAdminUnassignToOrg',
    'allowDriverAddProfilePicture',
    'allowDriverToTakePicturesOnSite',
    'allowDriverToTakeSignaturesOnSite',
    'allowDriverToTakeNotesOnSite',
    'allowDriverToTakePaymentsOnSite',
    'allowPartialPayments',
    'allowDriverToScanOnSite',
    'allowDriverToCancelTask',
    'allowDriverToCallTheCustomer',
    'driverAutoAcceptOrders',
    'driverAutoStartsTaskOnAccept',
    'autoDeletePhotosFromApp',
    'uploadPhotosOnWifi',
    'makeSignaturesMandatory',
    'automaticStart',
    'automaticDriverFlow',
    'forceCompleteAsFailed',
    'enableAutoAssignMode',
    'overwriteTaskLocation',
  ),
  ...each(string, 'preferredUnitType', 'imageOption', 'callForwardingRecipient', 'automaticStartField'),
  ...each(string, 'orderListViewDataLine1', 'orderListViewDataLine2', 'orderListViewDataLine3'),
  accentColor: hexColor,
  ...each(integer, 'hoursToSaveCustomerDataAfterDone', 'locationTrackingTime'),
  ...each(integer, 'locationTrackingDistance1', 'locationTrackingDistance2'),
  ...each(anything, 'smsSenderId', 'callCenterPhoneNumber', 'customizeColumnDefines'),
  forceCompleteAsFailedCancelReason: anything,
  googleApiKey: secret,
})

const driverSummary = fields({
  id: integer,
  name: string,
  ...each(orNull(string), 'avatar', 'email'),
  phone: string,
  inShift: boolean,
  status: integer,
})

const driverFields = {
  id: integer,
  name: string,
  email: orNull(string),
  password: exactly(''),
  phone: string,
  avatar: orNull(string),
  ...each(boolean, 'driver', 'admin', 'superAdmin', 'active', 'dispatcher', 'inShift', 'hasDismissedIntroModal'),
  status: integer,
  ...each(orNull(clock), 'startShiftTime', 'endShiftTime', 'lunchBreakStart', 'lunchBreakEnd'),
  lunchBreakDuration: orNull(numeric),
  ...each(timestamp, 'createdAt', 'updatedAt'),
  driverTransportationId: orNull(integer),
  companyId: integer,
}

/** As in the responses to create and update. */
export const driver = fields({ ...driverFields, company: companyOfDriver })

/** As in the list. */
export const listedDriver = fields({ ...driverFields, driverTransportation: anything, driverTeams: listOf(named) })

const hub = fields({
  id: integer,
  name: string,
  ...each(number, 'lat', 'lng'),
  ...each(string, 'city', 'state', 'country', 'streetNumber', 'streetName', 'postalCode', 'apartment'),
  ...each(timestamp, 'createdAt', 'updatedAt'),
})

export const team = fields({ id: integer, name: string, ...each(timestamp, 'createdAt', 'updatedAt'), hub })

export const webHook = fields({
  id: integer,
  url: string,
  trigger: oneOf(1, 2, 3, 4, 5, 6, 7, 8, 9),
  companyId: integer,
  ...each(timestamp, 'createdAt', 'updatedAt'),
})

const note = fields({
  id: integer,
  ...each(orNull(string), 'note', 'image'),
  type: integer,
  ...each(timestamp, 'createdAt', 'updatedAt'),
  ...each(integer, 'userId', 'taskId'),
  user: fields({ id: integer, name: string, avatar: orNull(string) }),
})

const taskFields = {
  id: integer,
  awb: string,
  details: string,
  customerNotes: orNull(string),
  ...each(orNull(integer), 'totalPrice', 'leftToBePaid'),
  ...each(anything, 'deliveryPrice', 'inventory'),
  currency: string,
  priority: integer,
  cancelReason: orNull(string),
  quantity: orNull(integer),
  sentETA: boolean,
  eta: integer,
  etaText: orNull(string),
  serviceTime: orNull(integer),
  uuid: string,
  ...each(orNull(timestamp), 'startedAt', 'completedAt'),
  ...each(orNull(number), 'lastLocationLat', 'lastLocationLng'),
  collectPayment: boolean,
  ...each(orNull(timestamp), 'completeAfter', 'completeBefore'),
  pickupTask: boolean,
  arrivalTime: anything,
  mobileTaskForm: orNull(mobileTaskForm),
  route: anything,
  sendNotifications: boolean,
  ...each(boolean, 'driverArrived', 'taskWillBeDelayed', 'taskDelayed'),
  ...each(timestamp, 'createdAt', 'updatedAt'),
  ...each(integer, 'ownerId', 'fulfillerId'),
  ...each(orNull(integer), 'userId', 'teamId', 'customerId'),
  statusId: oneOf(1, 6, 7, 9, 10),
  paymentTypeId: oneOf(1, 2),
  ...each(company, 'owner', 'fulfiller'),
  user: orNull(driverSummary),
  team: orNull(anObject),
  customer: orNull(customer),
  status: named,
  paymentType: named,
  address,
  notes: listOf(note),
  ...each(array, 'customFields', 'feedbacks', 'dependencies', 'timelines'),
}

export const task = fields(taskFields)

/** As in the response to bulk create: the owner has its settings. */
export const bulkCreatedTask = fields({ ...taskFields, owner: fields({ ...companyFields, settings }) })

/** The error of a failed item in a bulk operation. */
export const itemError = fields({ code: string, message: string })

export const unassigned = fields({ id: integer, statusId: integer })

function isZone(name: string) {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
