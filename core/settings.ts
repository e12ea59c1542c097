/** One setting of an organisation: what it is, what it is at first, what it does, and which part of the program does it. */
export interface Setting<Value = unknown> {
  type: 'boolean' | 'integer' | 'text' | 'colour' | 'choice' | 'json' | 'secret'
  default: Value
  effect: string
  /** Where it takes effect. */
  part: 'tasks' | 'driver' | 'planning' | 'tracking' | 'pages' | 'messages' | 'erasure' | 'locations' | 'partners'
  nullable?: true
  choices?: readonly string[]
  /** The largest an integer may be; the smallest is always 0. */
  most?: number
}

type Part = Setting['part']

const flag = (value: boolean, part: Part, effect: string) =>
  ({ type: 'boolean', default: value, part, effect }) as const satisfies Setting<boolean>
const whole = (value: number, most: number, part: Part, effect: string) =>
  ({ type: 'integer', default: value, most, part, effect }) as const satisfies Setting<number>
const text = (value: string, part: Part, effect: string) =>
  ({ type: 'text', default: value, part, effect }) as const satisfies Setting<string>
const textOrNull = (part: Part, effect: string) =>
  ({ type: 'text', default: null as string | null, nullable: true, part, effect }) as const satisfies Setting
const colour = (value: string, part: Part, effect: string) =>
  ({ type: 'colour', default: value, part, effect }) as const satisfies Setting<string>
const choice = <const Choice extends string>(value: Choice, choices: readonly Choice[], part: Part, effect: string) =>
  ({ type: 'choice', default: value, choices, part, effect }) as const satisfies Setting<string>
const json = (part: Part, effect: string) =>
  ({ type: 'json', default: null as unknown, nullable: true, part, effect }) as const satisfies Setting
const secret = (part: Part, effect: string) =>
  ({ type: 'secret', default: '' as string, part, effect }) as const satisfies Setting<string>

/** Every setting there is. `docs/settings.md`, the API and the settings page are made from this table. */
export const settings = {
  enableRouteOptimization: flag(true, 'planning', 'If false, optimising a route is refused'),
  enableAutoAssignMode: flag(false, 'planning', 'New tasks without a driver are given to the best one'),
  enableTeamAssignment: flag(true, 'tasks', 'Tasks may have a team before they have a driver'),
  enableAWB: flag(true, 'tasks', 'If false, awbs given by clients are ignored and one is always generated'),
  disableAdminUnassignToOrg: flag(false, 'tasks', 'If true, tasks cannot be taken back from a driver in bulk'),
  canExecutorsModifyDelegatedTasks: flag(true, 'partners', 'A partner may change a task that was delegated to it'),
  canExecutorsUndelegateTasks: flag(true, 'partners', 'A partner may give a delegated task back'),
  allowDriverToTakePicturesOnSite: flag(true, 'driver', 'Drivers may add photos'),
  allowDriverToTakeSignaturesOnSite: flag(true, 'driver', 'Drivers may add signatures'),
  allowDriverToTakeNotesOnSite: flag(true, 'driver', 'Drivers may write notes'),
  allowDriverToTakePaymentsOnSite: flag(true, 'driver', 'Drivers may take payments'),
  allowDriverToScanOnSite: flag(true, 'driver', 'Drivers may scan codes'),
  allowDriverToCancelTask: flag(true, 'driver', 'Drivers may fail a task'),
  allowDriverAddProfilePicture: flag(true, 'driver', 'Drivers may set their picture'),
  allowDriverToCallTheCustomer: flag(true, 'driver', 'Drivers see a button that calls the customer'),
  allowPartialPayments: flag(false, 'driver', 'If false, a payment below what is left to be paid is refused'),
  makeSignaturesMandatory: flag(false, 'driver', 'Completing needs a signature'),
  driverAutoAcceptOrders: flag(true, 'driver', 'If false, a driver must accept a task before starting it'),
  driverAutoStartsTaskOnAccept: flag(false, 'driver', 'Accepting a task starts it'),
  automaticStart: flag(false, 'driver', 'The first task of a route starts by itself, if the driver is on duty'),
  automaticStartField: choice('completeAfter', ['completeAfter', 'completeBefore'], 'driver', 'The time it starts at'),
  automaticDriverFlow: flag(false, 'driver', 'Completing starts the next task, and needs no start before'),
  forceCompleteAsFailed: flag(false, 'tasks', 'Force completing without saying how counts as failed'),
  forceCompleteAsFailedCancelReason: textOrNull('tasks', 'The reason a task gets that is failed without one'),
  overwriteTaskLocation: flag(false, 'locations', 'Completing moves the address to where the driver stood'),
  enableRecipientFeedback: flag(true, 'tracking', 'The tracking page takes feedback'),
  displayTransportationDetails: flag(true, 'tracking', "The tracking page shows the driver's means of transport"),
  displayDestinationDetails: flag(true, 'tracking', 'The tracking page shows the address'),
  displayCallButton: flag(true, 'tracking', 'The tracking page has a call button'),
  displayMessageButton: flag(true, 'tracking', 'The tracking page has a message button'),
  callForwardingRecipient: text('', 'tracking', 'Whom the call button reaches; the driver if empty'),
  callCenterPhoneNumber: textOrNull('tracking', 'The number of the call centre'),
  smsSenderId: textOrNull('messages', 'The sender of messages'),
  hoursToSaveCustomerDataAfterDone: whole(
    0,
    87_600,
    'erasure',
    'Hours after the end of a task at which personal data is erased; 0 keeps it',
  ),
  locationTrackingDistance1: whole(50, 100_000, 'locations', 'Metres after which a driver reports a position'),
  locationTrackingDistance2: whole(150, 100_000, 'locations', 'Metres within which a driver has arrived'),
  locationTrackingTime: whole(15, 86_400, 'locations', 'Seconds after which a driver reports a position in any case'),
  preferredUnitType: choice('metric', ['metric', 'imperial'], 'pages', 'Kilometres or miles'),
  accentColor: colour('#0b5fff', 'pages', 'The colour of buttons and links'),
  imageOption: choice('camera', ['camera', 'gallery', 'both'], 'pages', 'Where a driver takes photos from'),
  orderListViewDataLine1: text('customer.name', 'pages', 'First line of a task in lists'),
  orderListViewDataLine2: text('address.address', 'pages', 'Second line of a task in lists'),
  orderListViewDataLine3: text('completeBefore', 'pages', 'Third line of a task in lists'),
  customizeColumnDefines: json('pages', 'The columns of the table'),
  autoDeletePhotosFromApp: flag(false, 'pages', 'Photos leave the phone once they are uploaded'),
  uploadPhotosOnWifi: flag(false, 'pages', 'Photos wait for a wireless network'),
  googleApiKey: secret('planning', 'Addresses are looked up at Google with this key; it can be written and never read'),
} as const satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settings

type Widened<Value> = Value extends boolean ? boolean : Value extends number ? number : Value
export type Settings = { -readonly [Name in SettingName]: Widened<(typeof settings)[Name]['default']> }

const defaults = Object.fromEntries(
  Object.entries(settings).map(([name, setting]) => [name, setting.default]),
) as Settings

/** What holds for an organisation: what it chose, and the default of everything else. */
export const settingsOf = ({ settings: chosen }: { settings: unknown }): Settings => ({
  ...defaults,
  ...(chosen as Partial<Settings>),
})
