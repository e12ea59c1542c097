import { type SettingName, settings } from '../../settings.ts'

/** Its name, what it does, what can be chosen, if the choices are not names themselves, and of what to beware above 0. */
export interface SettingText {
  name: string
  effect: string
  choices?: Record<string, string>
  warning?: string
}
export type SettingTexts = Record<SettingName, SettingText>

const names: Record<SettingName, string> = {
  enableRouteOptimization: 'Route optimisation',
  enableAutoAssignMode: 'Assign automatically',
  enableTeamAssignment: 'Assign tasks to teams',
  enableAWB: 'Own AWBs',
  moneyDecimals: 'Decimals in amounts',
  disableAdminUnassignToOrg: 'No unassigning',
  canExecutorsModifyDelegatedTasks: 'Partners can edit',
  canExecutorsUndelegateTasks: 'Partners can give back',
  delegateNewTasksTo: 'Delegate new tasks to',
  delegateNewTasksOfTeam: 'Only tasks of the team',
  delegatedMessages: 'Messages about delegated tasks',
  showDriverPhoneToPartners: 'Partners see the driver’s phone',
  allowDriverToTakePicturesOnSite: 'Photos',
  allowDriverToTakeSignaturesOnSite: 'Signatures',
  allowDriverToTakeNotesOnSite: 'Notes',
  allowDriverToTakePaymentsOnSite: 'Payments',
  allowDriverToScanOnSite: 'Scanning',
  allowDriverToCancelTask: 'Fail tasks',
  allowDriverAddProfilePicture: 'Profile picture',
  allowDriverToCallTheCustomer: 'Call the customer',
  allowPartialPayments: 'Partial payments',
  makeSignaturesMandatory: 'Require signature',
  driverAutoAcceptOrders: 'Accept automatically',
  driverAutoStartsTaskOnAccept: 'Start when accepted',
  automaticStart: 'Start automatically',
  automaticStartField: 'Automatic start time',
  automaticDriverFlow: 'Start next task automatically',
  forceCompleteAsFailed: 'Force complete as failed',
  forceCompleteAsFailedCancelReason: 'Default failure reason',
  mostAttempts: 'Number of tries',
  afterLastAttempt: 'After the last try',
  overwriteTaskLocation: 'Correct location on completion',
  enableRecipientFeedback: 'Feedback',
  recipientReattemptDays: 'Recipients choose another day',
  recipientReattemptWindows: 'Windows to choose from',
  recipientSafePlace: 'Safe place',
  displayTransportationDetails: 'Show vehicle',
  displayDestinationDetails: 'Show address',
  displayCallButton: 'Call button',
  displayMessageButton: 'Message button',
  callForwardingRecipient: 'Calls and messages go to',
  callCenterPhoneNumber: 'Call centre',
  smsSenderId: 'Sender',
  messageOnItsWay: 'On its way',
  messageNextStop: 'Next stop',
  messageNextStopStops: 'Stops before',
  messageNextStopMinutes: 'Minutes before',
  messageArrived: 'Driver has arrived',
  messageDelivered: 'Delivered',
  messageFailed: 'Not delivered',
  messageWindowChanged: 'Time window changed',
  messageLanguage: 'Language of messages',
  messageFirstChannel: 'SMS or email',
  messageQuietFrom: 'No messages from',
  messageQuietUntil: 'No messages until',
  messageMostPerDay: 'Max. messages per day',
  messageMostPerTask: 'Max. messages per task',
  hoursToSaveCustomerDataAfterDone: 'Keep personal data (hours)',
  locationTrackingDistance1: 'Report after (m)',
  locationTrackingDistance2: 'Arrival radius (m)',
  locationTrackingTime: 'Report every (s)',
  preferredUnitType: 'Units',
  shopConsole: 'Console of a shop',
  accentColor: 'Accent colour',
  imageOption: 'Photo source',
  orderListViewDataLine1: 'List line 1',
  orderListViewDataLine2: 'List line 2',
  orderListViewDataLine3: 'List line 3',
  customizeColumnDefines: 'Table columns',
  autoDeletePhotosFromApp: 'Delete uploaded photos',
  uploadPhotosOnWifi: 'Upload photos over Wi-Fi only',
  googleApiKey: 'Google API key',
}

const lineChoices = {
  'customer.name': 'Customer name',
  'customer.phone': 'Customer phone',
  'address.address': 'Address',
  'address.area': 'Area',
  'address.city': 'City',
  completeBefore: 'Time window',
  awb: 'AWB',
  details: 'Details',
  customerNotes: 'Customer notes',
  quantity: 'Quantity',
  '': 'Nothing',
}

const choices: Partial<Record<SettingName, Record<string, string>>> = {
  moneyDecimals: { 0: 'None: 120', 2: 'Two: 89.50' },
  delegatedMessages: { owner: 'We send them', fulfiller: 'The partner sends them' },
  afterLastAttempt: { ask: 'Ask us', return: 'Bring the parcel back', stay: 'Nothing' },
  recipientReattemptWindows: { '': 'Only the day', '09:00-13:00, 13:00-18:00': '09:00–13:00 and 13:00–18:00' },
  automaticStartField: { completeAfter: 'Start of the time window', completeBefore: 'End of the time window' },
  messageLanguage: { country: 'By country' },
  callForwardingRecipient: { '': 'The call centre', driver: 'The driver' },
  orderListViewDataLine1: lineChoices,
  orderListViewDataLine2: lineChoices,
  orderListViewDataLine3: lineChoices,
  messageFirstChannel: { sms: 'SMS', email: 'Email' },
  preferredUnitType: { metric: 'Kilometres', imperial: 'Miles' },
  imageOption: { camera: 'Camera', gallery: 'Gallery', both: 'Camera or gallery' },
}

const warnings: Partial<Record<SettingName, string>> = {
  hoursToSaveCustomerDataAfterDone:
    'The personal data of every task that ended longer ago than this is erased within minutes of saving, for good: also in ' +
    'past events, and with its pictures. This cannot be undone.',
}

/** Where the page names what the API writes as a value. */
const effects: Partial<Record<SettingName, string>> = {
  moneyDecimals:
    'How many decimals amounts of money can have; without them amounts are whole, and one with decimals is refused. Amounts that have some keep them',
  disableAdminUnassignToOrg:
    'When on, the office cannot unassign tasks: not one by one, not by undoing, and not with a driver who is unavailable. Only deleting a driver still does',
  afterLastAttempt:
    'What happens when the last try fails: the task stays in the list of those that need a hand until somebody decides, its parcel is brought back to the hub by itself, or nothing happens',
  recipientReattemptWindows:
    'The time windows they choose from, such as 09:00-13:00, 13:00-18:00; if empty, they choose only the day',
  callForwardingRecipient: 'Who the call and message buttons of the tracking page reach',
  messageLanguage: 'By country: Romanian in Romania and Moldova, English elsewhere',
  orderListViewDataLine1: 'First line of a task in the driver’s list',
  orderListViewDataLine2: 'Second line of a task in the driver’s list',
  orderListViewDataLine3: 'Third line of a task in the driver’s list',
  delegateNewTasksTo: 'New tasks without a driver are given to this partner by themselves',
  delegateNewTasksOfTeam: 'Of new tasks only those of this team are given to the partner',
  delegatedMessages:
    'Who writes to the customers of tasks that are given to a partner from now on, with their own texts and settings',
  customizeColumnDefines: 'The columns everybody begins with in the table of tasks; each person can choose others',
}

const textsOf = (name: SettingName) => ({
  name: names[name],
  effect: effects[name] ?? settings[name].effect,
  ...(choices[name] && { choices: choices[name] }),
  ...(warnings[name] && { warning: warnings[name] }),
})

/** What a setting does is what the API says, in English too, unless the page has better words for it. */
export const settingTexts = Object.fromEntries(
  (Object.keys(names) as SettingName[]).map((name) => [name, textsOf(name)]),
) as SettingTexts
