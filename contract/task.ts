import type { Static } from 'typebox'
import type { Side } from '../core/delegation.ts'
import { noteTypes, type PictureType } from '../core/note-type.ts'
import { precisionDetails } from '../core/precision.ts'
import { type StatusId, statuses } from '../core/task-status.ts'
import { Company, CompanyWithSettings } from './company.ts'
import { FileId } from './file.ts'
import { longest, mostJson, mostLatitude, mostOfATask, mostServiceMinutes } from './limits.ts'
import { ReasonCode } from './reason.ts'
import {
  Amount,
  AnyJson,
  Awb,
  Id,
  ItemError,
  Latitude,
  Longitude,
  Nullable,
  PageQuery,
  ShownAmount,
  Text,
  Time,
  Whole,
  Words,
} from './schema.ts'
import { Type } from './type.ts'

const Optional = Type.Optional
const LongText = Text(longest.text)
const Name = Text(longest.name)
const Line = Text(longest.addressLine)

export const wallTime = 'YYYY-MM-DD HH:MM[:SS] in the zone of the organisation, or ISO 8601 with an offset'

export const CustomField = Type.Object({ key: Words(longest.name), value: AnyJson() }, { title: 'CustomField' })

export const AddressInput = Type.Object(
  {
    address: Optional(
      Text(longest.addressLine, { description: 'The full address in one line; composed from its parts if missing' }),
    ),
    addressSecondLine: Optional(Nullable(Line)),
    city: Optional(Nullable(Name)),
    area: Optional(Nullable(Name)),
    country: Optional(
      Type.String({
        pattern: '^([A-Za-z]{2})?$',
        description: 'A country code; defaults to the organisation’s country',
        'x-rule': 'must be a country code of two letters',
      }),
    ),
    streetNumber: Optional(Nullable(Text(longest.streetNumber))),
    streetName: Optional(Nullable(Name)),
    postalCode: Optional(Nullable(Text(longest.postalCode))),
    lat: Optional(Latitude),
    lng: Optional(Longitude),
    confirmed: Optional(
      Type.Boolean({
        description:
          'In an update, true with the `lat` and `lng` the task has: somebody looked, and that is the place, so it becomes `exact`. ' +
          'Refused if it has others by now',
      }),
    ),
    findAgain: Optional(
      Type.Boolean({
        description:
          'In an update without `lat` and `lng`, true: the coordinates the task has are wrong, look it up again',
      }),
    ),
  },
  { title: 'AddressInput' },
)

export const CustomerInput = Type.Object(
  {
    name: Optional(Name),
    phone: Optional(
      Text(longest.phone, {
        description: 'Parsed for the organisation’s country; kept as typed if it is not a possible number',
      }),
    ),
    email: Optional(Nullable(Text(longest.email))),
    address: Optional(Nullable(Line)),
    addressSecondLine: Optional(Nullable(Line)),
    lat: Optional(
      Nullable(
        Type.Number({
          minimum: -mostLatitude,
          maximum: mostLatitude,
          description: 'With `lng`. If not given, that of a task whose address is the same text, once that is known',
        }),
      ),
    ),
    lng: Optional(Nullable(Longitude)),
  },
  { title: 'CustomerInput' },
)

const Needed = Type.Union([Awb, Type.Object({ awb: Awb }, { title: 'NeededTask' })])
export const awbsOf = (needed: readonly Static<typeof Needed>[] = []) => [
  ...new Set(needed.map((one) => (typeof one === 'string' ? one : one.awb))),
]

const taskFields = {
  awb: Optional(Awb),
  details: Optional(LongText),
  customerNotes: Optional(Nullable(LongText)),
  customer: Optional(Nullable(CustomerInput)),
  pickupTask: Optional(Type.Boolean({ description: 'A pickup instead of a delivery' })),
  totalPrice: Optional(Nullable(Amount({ description: 'What the customer must pay' }))),
  deliveryPrice: Optional(Nullable(Amount())),
  collectPayment: Optional(
    Type.Boolean({ description: 'Whether the driver collects the payment; defaults to yes if there is a price' }),
  ),
  paymentTypeId: Optional(Type.Integer({ enum: [1, 2], description: '1 cash, 2 credit card' })),
  quantity: Optional(Nullable(Whole())),
  priority: Optional(Whole({ description: 'Higher is more urgent' })),
  serviceTime: Optional(
    Nullable(Whole({ maximum: mostServiceMinutes, description: 'Minutes at the stop, at most a week' })),
  ),
  completeAfter: Optional(Nullable(Text(longest.time, { description: wallTime }))),
  completeBefore: Optional(Nullable(Text(longest.time, { description: wallTime }))),
  inventory: Optional(Nullable(AnyJson('Any JSON, at most 64 kB'))),
  customFields: Optional(
    Type.Array(CustomField, { maxItems: mostOfATask, 'x-most': mostJson, description: 'At most 64 kB of JSON in all' }),
  ),
  sendNotifications: Optional(Type.Boolean({ description: 'Whether the customer is notified; defaults to true' })),
  teamId: Optional(Nullable(Id('The team of the task'))),
  formId: Optional(Nullable(Id('The form the driver fills in; null is the default form of the organisation'))),
  dependencies: Optional(
    Type.Array(Needed, {
      maxItems: mostOfATask,
      description: 'AWBs of tasks that must succeed first, or objects with them, as a task shows its dependencies',
    }),
  ),
}

export const TaskInput = Type.Object(
  { ...taskFields, address: AddressInput, userId: Optional(Nullable(Id('Assign to this driver immediately'))) },
  { title: 'TaskInput' },
)
export type TaskInput = Static<typeof TaskInput>

/** A task for the driver named in the path. */
export const DriverTaskInput = Type.Object({ ...taskFields, address: AddressInput }, { title: 'DriverTaskInput' })

/** Fields not given stay unchanged; an address is merged with the current one. */
export const TaskUpdate = Type.Object({ ...taskFields, address: Optional(AddressInput) }, { title: 'TaskUpdate' })
export type TaskUpdate = Static<typeof TaskUpdate>

const { awb: _, ...updatedFields } = taskFields

/** An update of many names its task by the awb, so it cannot change it. */
export const BulkTaskUpdate = Type.Object(
  {
    awb: Awb,
    ...updatedFields,
    address: Optional(AddressInput),
    userId: Optional(Id('Assign to this driver; not given, the task stays with the one it has')),
  },
  { title: 'BulkTaskUpdate' },
)
export type BulkTaskUpdate = Static<typeof BulkTaskUpdate>
export type AddressInput = Static<typeof AddressInput>
export type CustomerInput = Static<typeof CustomerInput>

/** The state of a task, from the table in core. */
export const Status = Type.Unsafe<StatusId>({ type: 'integer', enum: Object.keys(statuses).map(Number) })

/** A task's place in the day's route, in `task.route`. */
export const PlannedStop = Type.Object(
  {
    position: Type.Integer({ description: '1 comes first' }),
    arrivalTime: Time(),
    distanceMetres: Type.Integer({ description: 'From the previous stop' }),
    waitSeconds: Type.Integer(),
    lateSeconds: Type.Integer(),
  },
  { title: 'PlannedStop', description: 'The task’s place in the day’s route' },
)
export type PlannedStop = Static<typeof PlannedStop>

const NullableText = Nullable(Type.String())
const NullableTime = Nullable(Time())
const NullableNumber = Nullable(Type.Number())
const Named = (title: string) => Type.Object({ id: Type.Integer(), name: Type.String() }, { title })

export const Address = Type.Object(
  {
    id: Id(),
    lat: Nullable(Latitude),
    lng: Nullable(Longitude),
    address: Type.String(),
    addressSecondLine: NullableText,
    city: NullableText,
    area: NullableText,
    country: Type.String(),
    streetNumber: NullableText,
    streetName: NullableText,
    postalCode: NullableText,
    precision: Type.String({
      enum: ['exact', 'approximate', 'none'],
      description:
        '`exact`: entered by a person, or the building was found; `approximate`: only the street or city was found; `none`: no coordinates',
    }),
    precisionDetail: Nullable(
      Type.String({
        enum: [...precisionDetails],
        description:
          'What was found: the `house`, a point `interpolated` between its neighbours, its `street`, or its `city`; `learned` from an earlier correction of the same address; null if the coordinates were given',
      }),
    ),
    geocodingProblem: Type.String({
      description: 'Why no coordinates were found; "" if there is no problem',
    }),
  },
  { title: 'Address' },
)

export const Customer = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    address: NullableText,
    addressSecondLine: NullableText,
    email: NullableText,
    phone: Type.String(),
    lat: NullableNumber,
    lng: NullableNumber,
    createdAt: Time(),
    updatedAt: Time(),
    companyId: Id(),
  },
  { title: 'Customer' },
)

export const DriverSummary = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    avatar: NullableText,
    email: NullableText,
    phone: Type.String(),
    inShift: Type.Boolean(),
    status: Type.Integer({ description: '0 off duty, 1 on duty and free, 2 on duty with a task in transit' }),
  },
  { title: 'DriverSummary' },
)

export type DriverSummary = Static<typeof DriverSummary>

const listed = (numbers: Record<string, number>) =>
  Object.entries(numbers)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ')

export const Note = Type.Object(
  {
    id: Id(),
    note: NullableText,
    image: NullableText,
    type: Type.Integer({ description: listed(noteTypes) }),
    createdAt: Time(),
    updatedAt: Time(),
    userId: Id(),
    taskId: Id(),
    user: Type.Object({ id: Id(), name: Type.String(), avatar: NullableText }),
    byDriver: Type.Boolean({ description: 'false: by the office' }),
    seenAt: Nullable(
      Time('When the driver saw a note of the office, or somebody of the office one of the driver; null until then'),
    ),
  },
  { title: 'Note' },
)

export const UnseenNote = Type.Object({ ...Note.properties, awb: Type.String() }, { title: 'UnseenNote' })

export const TimelineEntry = Type.Object(
  {
    id: Id('The event’s number in the organisation’s log'),
    event: Type.String({ description: 'The name of the trigger' }),
    fromStatusId: Nullable(Status),
    toStatusId: Nullable(Status),
    actor: Type.Object({ type: Type.String(), id: Nullable(Type.Integer()), name: Type.String() }),
    lat: NullableNumber,
    lng: NullableNumber,
    occurredAt: Time('When it happened'),
    recordedAt: Time('When the server received it'),
    data: AnyJson(
      '`previous`: what changed, with previous values; `late`: it reached the server more than 24 h later; ' +
        '`claimedAt`: what the phone said, if the driver did not have the task then or had never signed in; ' +
        '`load`: where its parcel was scanned (`at`: hub or vehicle), the `result`, and for which driver (`userId`); ' +
        '`noted`, `conflict`, `settled`: what became of something a driver did; `scan`: the `code`, whether it `matches` ' +
        'the task, and the `field` of `customFields` that has it, if it is not the AWB; `payment`: what was paid; ' +
        '`takenBack`: the `type` (start or arrive) of what the driver took back, and the `sequence` of its event; ' +
        '`delegated`, `undelegated`: the `companyId` and `name` of the partner who got the task, or from whom it came back; ' +
        '`erased`: the personal data was erased; ' +
        '`delegated`, `undelegated`: to or from which partner, by its `companyId`; `notDelegated`: the rule for new tasks ' +
        'would have delegated it, and the `code` and `message` say why it was not; ' +
        '`corrected`: how it ended was corrected, and the `reason`; `notReturned`: its parcel was to be brought back, and the ' +
        '`code` and `message` say why it was not; ' +
        'null if there is nothing to say',
    ),
  },
  { title: 'TimelineEntry' },
)

export type TimelineEntry = Static<typeof TimelineEntry>

const Feedback = Type.Object(
  { id: Id(), rating: Type.Integer({ minimum: 1, maximum: 5 }), comment: Type.String(), createdAt: Time() },
  { title: 'Feedback' },
)

const Dependency = Type.Object({ taskId: Id(), awb: Type.String(), statusId: Status }, { title: 'Dependency' })

const OtherTask = (description: string) => Nullable(Type.Object({ taskId: Id(), awb: Type.String() }, { description }))

export const Task = Type.Object(
  {
    id: Id(),
    awb: Type.String(),
    details: Type.String(),
    customerNotes: NullableText,
    totalPrice: Nullable(ShownAmount()),
    leftToBePaid: Nullable(ShownAmount()),
    deliveryPrice: Nullable(ShownAmount()),
    currency: Type.String(),
    inventory: AnyJson(),
    priority: Type.Integer(),
    cancelReason: NullableText,
    cancelReasonCode: Nullable(Type.String({ description: 'The code of the reason it failed for, if one was chosen' })),
    quantity: Nullable(Type.Integer()),
    sentETA: Type.Boolean(),
    eta: Type.Integer({
      minimum: 0,
      description:
        'Seconds from the moment of the answer, or of the event, until the expected arrival; 0 if unknown or past',
    }),
    etaText: Nullable(Type.String({ description: 'The same in words, such as `1 h 5 min`' })),
    etaAt: Nullable(
      Time('The expected arrival, which follows the driver; null if unknown, and once the driver has arrived'),
    ),
    serviceTime: Nullable(Type.Integer()),
    uuid: Type.String({ description: 'The tracking token: the customer’s page is at `/t/<uuid>` of this server' }),
    acceptedAt: Nullable(Time('When the driver accepted it')),
    atHubAt: Nullable(Time('When it was scanned in at the hub')),
    loadedAt: Nullable(
      Time('When it was scanned into the vehicle of its driver; null again at the hub, or with another driver'),
    ),
    startedAt: NullableTime,
    completedAt: NullableTime,
    lastLocationLat: Nullable(
      Type.Number({ description: 'Where the driver is while the task is in transit, then where it ended' }),
    ),
    lastLocationLng: NullableNumber,
    collectPayment: Type.Boolean(),
    completeAfter: NullableTime,
    completeBefore: NullableTime,
    pickupTask: Type.Boolean(),
    arrivalTime: NullableTime,
    formId: Nullable(Id('The form of this task; null is the default form of the organisation, if there is one')),
    scheduleId: Nullable(Id('The schedule that made it, which may have been deleted since')),
    mobileTaskForm: Nullable(
      Type.String({ description: 'The answers so far: a JSON-encoded list of objects with `field_key` and `answer`' }),
    ),
    route: Nullable(PlannedStop),
    sendNotifications: Type.Boolean(),
    driverArrived: Type.Boolean({
      description: 'The driver said so, or was within `locationTrackingDistance2` of the address',
    }),
    taskWillBeDelayed: Type.Boolean({ description: 'Whether the driver arrives after `completeBefore`' }),
    taskDelayed: Type.Boolean({ description: 'The window ended before the task did' }),
    createdAt: Time(),
    updatedAt: Time(),
    ownerId: Id(),
    fulfillerId: Id(),
    side: Optional(
      Type.Unsafe<Side>({
        type: 'string',
        enum: ['owner', 'fulfiller'],
        description:
          'Only of a task shared with partners: `owner`, a partner does it; `fulfiller`, it was given to this organisation, which does it',
      }),
    ),
    fulfillerDriver: Optional(
      Type.Object(
        { name: Type.String(), phone: Optional(Type.String({ description: 'If the partner shows it' })) },
        { description: 'Only of a task that a partner does: who drives it' },
      ),
    ),
    partnerAwbs: Optional(
      Type.Array(Type.String(), { description: 'Only of a task shared with partners: the AWBs they know it by' }),
    ),
    attempt: Type.Integer({ minimum: 1, description: 'Which try it is: 1 for the first' }),
    attemptOf: OtherTask('The failed task that this one tries again'),
    reattemptedAs: OtherTask('The next try, if it failed and is tried again'),
    returnOf: OtherTask('The failed task whose parcel this one brings back'),
    returnedAs: OtherTask('The task that brings its parcel back'),
    closedAt: Nullable(Time('Of a failed task that somebody decided to leave as it is: when')),
    earlierAwbs: Optional(
      Type.Array(Type.String(), {
        description:
          'Only of a later try, and of a return: the AWBs of the tasks before it, which the label may still have',
      }),
    ),
    userId: Nullable(Id()),
    teamId: Nullable(Id()),
    customerId: Nullable(Id()),
    statusId: Status,
    paymentTypeId: Type.Integer({ enum: [1, 2] }),
    owner: Company,
    fulfiller: Company,
    user: Nullable(DriverSummary),
    team: Nullable(Named('TeamSummary')),
    customer: Nullable(Customer),
    status: Named('Status'),
    paymentType: Named('PaymentType'),
    address: Address,
    notes: Type.Array(Note),
    notesLeftOut: Optional(
      Type.Integer({
        minimum: 1,
        description:
          'How many older notes are not among `notes`; only where some are: in events, which keep the newest 32,768 characters',
      }),
    ),
    customFields: Type.Array(CustomField),
    feedbacks: Type.Array(Feedback),
    dependencies: Type.Array(Dependency),
    erasedAt: Optional(
      Time('Only if its personal data was erased: then such texts are empty or null, in its events, too'),
    ),
    timelines: Type.Array(TimelineEntry),
    timelinesLeftOut: Optional(
      Type.Integer({
        minimum: 1,
        description: 'How many older entries are not among `timelines`: read them from `/tasks/:taskId/timelines`',
      }),
    ),
  },
  { title: 'Task' },
)
export type Task = Static<typeof Task>

/** One item of a bulk creation: the task, or why there is none. */
export const BulkCreateResult = Type.Object(
  {
    item: Type.Integer({ minimum: 1, description: 'The position in the request, from 1' }),
    success: Type.Boolean(),
    data: Optional(Type.Object({ ...Task.properties, owner: CompanyWithSettings })),
    error: Optional(ItemError),
  },
  { title: 'BulkCreateResult' },
)

const FieldChange = Type.Object(
  {
    field: Type.String({ description: 'Its name in the task, such as `details` or `address.city`' }),
    from: AnyJson(),
    to: AnyJson(),
  },
  { title: 'FieldChange' },
)

/** One item of a bulk update: the task and what changes, or why nothing does. */
export const BulkUpdateResult = Type.Object(
  {
    item: Type.Integer({ minimum: 1, description: 'The position in the request, from 1' }),
    awb: Type.String(),
    success: Type.Boolean(),
    id: Optional(Id()),
    statusId: Optional(Status),
    changes: Optional(
      Type.Array(FieldChange, { description: 'What differs, and follows from it; empty if the task was like this' }),
    ),
    error: Optional(ItemError),
  },
  { title: 'BulkUpdateResult' },
)
export type BulkUpdateResult = Static<typeof BulkUpdateResult>

/** One item of a bulk operation by awb. */
export const AwbResult = Type.Object(
  { awb: Type.String(), success: Type.Boolean(), error: Optional(ItemError) },
  { title: 'AwbResult' },
)

/** One item of a bulk operation by id. */
export const IdResult = Type.Object(
  { id: Type.Integer(), success: Type.Boolean(), error: Optional(ItemError) },
  { title: 'IdResult' },
)

export const ForceCompletion = Type.Object(
  {
    success: Optional(Type.Boolean({ description: 'Whether the task succeeded or failed' })),
    failureReason: Optional(Nullable(LongText)),
    reasonCode: Optional(Nullable(ReasonCode('The code of a reason'))),
  },
  { title: 'ForceCompletion' },
)

export type ForceCompletion = Static<typeof ForceCompletion>

export const NoteInput = Type.Object(
  {
    note: Optional(Words(longest.text)),
    fileId: Optional(FileId('The picture to show; a driver may send it later')),
    type: Optional(
      Type.Unsafe<PictureType>({
        type: 'integer',
        enum: [noteTypes.photo, noteTypes.signature],
        description: `What the picture is: ${noteTypes.photo} a photo (default), ${noteTypes.signature} a signature`,
      }),
    ),
  },
  { title: 'NoteInput', description: 'Text, a picture, or both' },
)
export type NoteInput = Static<typeof NoteInput>

export const FeedbackInput = Type.Object(
  {
    rating: Type.Integer({ minimum: 1, maximum: 5, description: '5 is best' }),
    comment: Optional(Text(longest.comment)),
  },
  { title: 'FeedbackInput' },
)
export type FeedbackInput = Static<typeof FeedbackInput>

const TimeFilter = Text(longest.time, { description: wallTime })

export const TaskFilter = Type.Object({
  statusId: Optional(
    Type.String({
      pattern: '^\\s*\\d+(\\s*,\\s*\\d+)*\\s*$',
      description: 'One or more status ids, separated by commas',
      'x-rule': 'must be status ids separated by commas, such as 1,6,7',
    }),
  ),
  from: Optional(TimeFilter),
  to: Optional(TimeFilter),
  ...PageQuery.properties,
})

export const TaskQuery = Type.Object({
  ...TaskFilter.properties,
  userId: Optional(Id()),
  teamId: Optional(Id()),
  awb: Optional(Text(longest.awb)),
  q: Optional(
    Text(longest.search, {
      description:
        'Search in AWB, customer, phone, address and details, over all days unless other filters are given. Every word begins a word of the task; ' +
        'accents and letter case do not matter; three or more digits also find the end of an AWB or a phone',
    }),
  ),
  partnerId: Optional(Id('Only tasks shared with this partner: given to it, or by it')),
  customerId: Optional(Id()),
  phone: Optional(Text(longest.phone, { description: 'The phone of the customer' })),
  address: Optional(
    Text(longest.addressLine, {
      description: 'The address on one line. Accents, letter case, punctuation and usual abbreviations do not matter',
    }),
  ),
  order: Optional(
    Type.String({ enum: ['oldest', 'newest'], description: 'By id: `oldest` first (the default) or `newest` first' }),
  ),
  updatedAfter: Optional(TimeFilter),
  doubtful: Optional(
    Type.Boolean({
      description:
        'true: only open tasks whose address is to be checked, because it was not found, or only its street or city. ' +
        'A house number between two known ones is good enough',
    }),
  ),
  toDecide: Optional(
    Type.Boolean({
      description:
        'true: only failed tasks that nothing follows and that cannot be tried again (`mostAttempts`), if the setting `afterLastAttempt` ' +
        'wants something to be done about them: somebody has to decide. Those of partners are not among them',
    }),
  ),
  day: Optional(
    Text(10, {
      description:
        'YYYY-MM-DD: the tasks of that day. Those that ended on it, plus open ones: today all except those for later days that have not started, ' +
        'on other days those whose time window overlaps the day',
    }),
  ),
})
export type TaskFilter = Static<typeof TaskFilter>
export type TaskQuery = Static<typeof TaskQuery>

export const DeleteTaskQuery = Type.Object({
  updatedAt: Optional(
    Text(longest.time, {
      description:
        'Only if nothing has changed the task since: its `updatedAt`, as it was last shown. Otherwise `TOO_LATE`, and the task stays',
    }),
  ),
})
export type DeleteTaskQuery = Static<typeof DeleteTaskQuery>
