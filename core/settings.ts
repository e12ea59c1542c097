import { mostTries } from './attempt.ts'
import { languageCodes } from './words/languages.ts'

/** One setting of an organisation: its type, its default, what it does, and which part of the program uses it. */
export interface Setting<Value = unknown> {
  type: 'boolean' | 'integer' | 'text' | 'colour' | 'choice' | 'time' | 'json' | 'secret' | 'id'
  default: Value
  effect: string
  /** Where it takes effect. */
  part: 'tasks' | 'driver' | 'planning' | 'tracking' | 'pages' | 'messages' | 'erasure' | 'locations' | 'partners'
  nullable?: true
  choices?: readonly string[]
  /** What people choose from on the page. Any other text is taken, too. */
  suggests?: readonly string[]
  /** The largest an integer may be; the smallest is always 0. */
  most?: number
  /** The only values of an integer, if not all up to `most`. */
  values?: readonly number[]
  /** What an id is of. */
  of?: 'partner' | 'team'
}

type Part = Setting['part']

const flag = (value: boolean, part: Part, effect: string) =>
  ({ type: 'boolean', default: value, part, effect }) as const satisfies Setting<boolean>
const whole = (value: number, most: number, part: Part, effect: string) =>
  ({ type: 'integer', default: value, most, part, effect }) as const satisfies Setting<number>
const oneOf = (value: number, values: readonly number[], part: Part, effect: string) =>
  ({ type: 'integer', default: value, values, part, effect }) as const satisfies Setting<number>
const suggested = (value: string, suggests: readonly string[], part: Part, effect: string) =>
  ({ type: 'text', default: value, suggests, part, effect }) as const satisfies Setting<string>
const textOrNull = (part: Part, effect: string) =>
  ({ type: 'text', default: null as string | null, nullable: true, part, effect }) as const satisfies Setting
const colour = (value: string, part: Part, effect: string) =>
  ({ type: 'colour', default: value, part, effect }) as const satisfies Setting<string>
const choice = <const Choice extends string>(value: Choice, choices: readonly Choice[], part: Part, effect: string) =>
  ({ type: 'choice', default: value, choices, part, effect }) as const satisfies Setting<string>
const time = (value: string, part: Part, effect: string) =>
  ({ type: 'time', default: value, part, effect }) as const satisfies Setting<string>
const json = (part: Part, effect: string) =>
  ({ type: 'json', default: null as unknown, nullable: true, part, effect }) as const satisfies Setting
const secret = (part: Part, effect: string) =>
  ({ type: 'secret', default: '' as string, part, effect }) as const satisfies Setting<string>
const idOrNull = <const Of extends 'partner' | 'team'>(of: Of, part: Part, effect: string) =>
  ({ type: 'id', of, default: null as number | null, nullable: true, part, effect }) as const satisfies Setting

/** What a line of the driver's list can say. */
const lineFields = [
  'customer.name',
  'customer.phone',
  'address.address',
  'address.area',
  'address.city',
  'completeBefore',
  'awb',
  'details',
  'customerNotes',
  'quantity',
  '',
] as const

/** Every setting. `docs/settings.md`, the API and the settings page are made from this table. */
export const settings = {
  enableRouteOptimization: flag(true, 'planning', 'When off, routes cannot be optimised'),
  enableAutoAssignMode: flag(false, 'planning', 'New tasks without a driver are assigned to the best one'),
  enableTeamAssignment: flag(
    true,
    'tasks',
    'A task can have a team before it has a driver; when off, a team is taken only together with one',
  ),
  enableAWB: flag(
    true,
    'tasks',
    'When off, AWBs sent by clients are ignored and new ones are generated; nobody is asked for one',
  ),
  disableAdminUnassignToOrg: flag(
    false,
    'tasks',
    'When on, the office cannot unassign tasks: not by `bulkUnassign`, not by undoing, and not with a driver who is unavailable. Only deleting a driver still does',
  ),
  moneyDecimals: oneOf(
    0,
    [0, 2],
    'tasks',
    'How many decimals amounts of money can have; with 0 they are whole, and an amount with decimals is refused. What has some keeps them when this is set to 0 again',
  ),
  canExecutorsModifyDelegatedTasks: flag(true, 'partners', 'A partner can edit a task delegated to it'),
  canExecutorsUndelegateTasks: flag(true, 'partners', 'A partner can give a delegated task back'),
  delegateNewTasksTo: idOrNull(
    'partner',
    'partners',
    'New tasks without a driver are delegated to this partner by themselves; null for none',
  ),
  delegateNewTasksOfTeam: idOrNull('team', 'partners', 'Only new tasks of this team are; null for all'),
  delegatedMessages: choice(
    'owner',
    ['owner', 'fulfiller'],
    'partners',
    'Who sends the messages about tasks delegated from now on, with their own texts and settings: `owner`, this organisation; `fulfiller`, the one that does them',
  ),
  showDriverPhoneToPartners: flag(
    false,
    'partners',
    'A partner whose task is delivered here sees the driver’s phone number',
  ),
  allowDriverToTakePicturesOnSite: flag(true, 'driver', 'Drivers can add photos'),
  allowDriverToTakeSignaturesOnSite: flag(true, 'driver', 'Drivers can add signatures'),
  allowDriverToTakeNotesOnSite: flag(true, 'driver', 'Drivers can write notes'),
  allowDriverToTakePaymentsOnSite: flag(true, 'driver', 'Drivers can take payments'),
  allowDriverToScanOnSite: flag(true, 'driver', 'Drivers can scan codes'),
  allowDriverToCancelTask: flag(true, 'driver', 'Drivers can mark a task as failed'),
  allowDriverAddProfilePicture: flag(true, 'driver', 'Drivers can set a profile picture'),
  allowDriverToCallTheCustomer: flag(true, 'driver', 'Drivers see the customer’s phone number and can call it'),
  allowPartialPayments: flag(
    false,
    'driver',
    'When off, a payment smaller than the amount left to pay is refused, and drivers who can take payments cannot complete a task that is not paid',
  ),
  makeSignaturesMandatory: flag(
    false,
    'driver',
    'A task cannot be completed without a signature; drivers can then add one even if signatures are off',
  ),
  driverAutoAcceptOrders: flag(true, 'driver', 'When off, drivers must accept a task before starting it'),
  driverAutoStartsTaskOnAccept: flag(false, 'driver', 'Accepting a task starts it'),
  automaticStart: flag(
    false,
    'driver',
    'The first task of a route starts by itself at the time below, if the driver is on duty',
  ),
  automaticStartField: choice(
    'completeAfter',
    ['completeAfter', 'completeBefore'],
    'driver',
    'The time at which a task starts by itself',
  ),
  automaticDriverFlow: flag(
    false,
    'driver',
    'Completing a task starts the next one of today; a task can be completed without being started',
  ),
  forceCompleteAsFailed: flag(
    false,
    'tasks',
    'Force completing begins with failed: without a result, the task is marked as failed',
  ),
  forceCompleteAsFailedCancelReason: textOrNull(
    'tasks',
    'The reason that is filled in, and used when a task is marked as failed without one',
  ),
  mostAttempts: whole(
    0,
    mostTries,
    'tasks',
    'How often a task can be tried in all; beyond that a failed one cannot be tried again. 0 for no limit',
  ),
  afterLastAttempt: choice(
    'ask',
    ['ask', 'return', 'stay'],
    'tasks',
    'What happens when the last try fails: `ask`, the console lists the task until somebody decides; `return`, its parcel is brought back by itself; `stay`, nothing',
  ),
  overwriteTaskLocation: flag(
    false,
    'locations',
    'When a driver completes a task, its address moves to where the driver is, if that is known to within 50 metres',
  ),
  enableRecipientFeedback: flag(true, 'tracking', 'Customers can rate a task after its end'),
  recipientReattemptDays: whole(
    0,
    14,
    'tracking',
    'Recipients of a failed delivery can have it tried again on a day they choose on the tracking page, up to this many days ahead; 0 for no',
  ),
  recipientReattemptWindows: suggested(
    '',
    ['', '09:00-13:00, 13:00-18:00'],
    'tracking',
    'The windows they choose from, such as `09:00-13:00, 13:00-18:00`; if empty, they choose only the day',
  ),
  recipientSafePlace: flag(
    false,
    'tracking',
    'They can also name a safe place where the parcel may be left without them; the driver reads it',
  ),
  displayTransportationDetails: flag(true, 'tracking', 'The tracking page shows the driver’s vehicle'),
  displayDestinationDetails: flag(true, 'tracking', 'The tracking page shows the address'),
  displayCallButton: flag(true, 'tracking', 'The tracking page has a call button'),
  displayMessageButton: flag(true, 'tracking', 'The tracking page has a button for a text message'),
  callForwardingRecipient: suggested(
    '',
    ['', 'driver'],
    'tracking',
    'Who the call and message buttons reach: a number, or “driver” for the driver’s own; if empty, the call centre',
  ),
  callCenterPhoneNumber: textOrNull(
    'tracking',
    'The call centre’s phone number; if empty, the company’s phone is called',
  ),
  smsSenderId: textOrNull(
    'messages',
    'The sender of messages: a name or number the SMS provider allows, or the name in emails',
  ),
  messageOnItsWay: flag(false, 'messages', 'Customers get a message when the driver starts their task'),
  messageNextStop: flag(false, 'messages', 'Customers get a message when they are one of the next stops'),
  messageNextStopStops: whole(
    1,
    20,
    'messages',
    'That message is sent when this many stops, or fewer, come before; 0 for never',
  ),
  messageNextStopMinutes: whole(
    0,
    240,
    'messages',
    'It is also sent when the driver is expected within this many minutes; 0 for never',
  ),
  messageArrived: flag(false, 'messages', 'Customers get a message when the driver has arrived'),
  messageDelivered: flag(
    false,
    'messages',
    'Customers get a message with a link to the proof when their task is completed',
  ),
  messageFailed: flag(false, 'messages', 'Customers get a message with the reason when their task failed'),
  messageWindowChanged: flag(false, 'messages', 'Customers get a message when the time window of their task changes'),
  messageLanguage: choice(
    'country',
    ['country', ...languageCodes],
    'messages',
    'The language of messages; `country`: Romanian in Romania and Moldova, English elsewhere',
  ),
  messageFirstChannel: choice('sms', ['sms', 'email'], 'messages', 'How customers get messages who can get both'),
  messageQuietFrom: time(
    '21:00',
    'messages',
    'From this time on no messages are sent; if equal to the end, they always are',
  ),
  messageQuietUntil: time(
    '08:00',
    'messages',
    'From this time on messages are sent again, unless they are old news by then',
  ),
  messageMostPerDay: whole(1_000, 1_000_000, 'messages', 'The most messages sent on one day; others are cancelled'),
  messageMostPerTask: whole(6, 100, 'messages', 'The most messages sent about one task; others are cancelled'),
  hoursToSaveCustomerDataAfterDone: whole(
    0,
    87_600,
    'erasure',
    'Hours after a task ends until its personal data is erased everywhere, for good; 0 keeps it',
  ),
  locationTrackingDistance1: whole(
    50,
    100_000,
    'locations',
    'Drivers report their position after moving this many metres',
  ),
  locationTrackingDistance2: whole(150, 100_000, 'locations', 'Drivers count as arrived within this many metres'),
  locationTrackingTime: whole(
    15,
    86_400,
    'locations',
    'Drivers report their position at least this often, in seconds; without one for three times as long, and for 5 minutes, they are silent',
  ),
  preferredUnitType: choice('metric', ['metric', 'imperial'], 'pages', 'Kilometres or miles'),
  shopConsole: flag(false, 'pages', 'The console shows only what a shop needs: its parcels, proof and what it is owed'),
  accentColor: colour('#0b5fff', 'pages', 'The colour of buttons and links'),
  imageOption: choice('camera', ['camera', 'gallery', 'both'], 'pages', 'Where drivers can add photos from'),
  orderListViewDataLine1: suggested(
    'customer.name',
    lineFields,
    'pages',
    'First line of a task in the driver’s list: a field such as customer.name',
  ),
  orderListViewDataLine2: suggested(
    'address.address',
    lineFields,
    'pages',
    'Second line of a task in the driver’s list: a field such as customer.name',
  ),
  orderListViewDataLine3: suggested(
    'completeBefore',
    lineFields,
    'pages',
    'Third line of a task in the driver’s list: a field such as customer.name',
  ),
  customizeColumnDefines: json(
    'pages',
    'The columns everybody begins with in the table of tasks: a list of names, or of `{ "key": name }`; null for the usual ones',
  ),
  autoDeletePhotosFromApp: flag(false, 'pages', 'Photos are deleted from the phone after upload'),
  uploadPhotosOnWifi: flag(false, 'pages', 'Photos wait for Wi-Fi'),
  googleApiKey: secret('planning', 'Addresses are looked up at Google with this key; it can be written but not read'),
} as const satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settings

type Widened<Value> = Value extends boolean ? boolean : Value extends number ? number : Value
export type Settings = { -readonly [Name in SettingName]: Widened<(typeof settings)[Name]['default']> }

const defaults = Object.fromEntries(
  Object.entries(settings).map(([name, setting]) => [name, setting.default]),
) as Settings

/** All settings of an organisation: those it chose, and the defaults of the others. */
export const settingsOf = ({ settings: chosen }: { settings: unknown }): Settings => ({
  ...defaults,
  ...(chosen as Partial<Settings>),
})
