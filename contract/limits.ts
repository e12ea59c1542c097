/*
 * How long, how many, how much. Plain values without the schemas that enforce them, so that a page or an import can
 * read them too.
 */

/** The maximum length of a text. */
export const longest = {
  name: 120,
  awb: 64,
  /** What the AWBs of a schedule begin with: a dash, the day and a number follow. */
  awbPrefix: 40,
  /** Details, notes, reasons. */
  text: 10_000,
  /** Of a customer. */
  comment: 2_000,
  /** Why a driver is absent. */
  absenceReason: 200,
  /** What a customer asks of the driver, each time. */
  instructions: 500,
  /** The text of a message to a customer. */
  message: 1_000,
  addressLine: 500,
  streetNumber: 50,
  postalCode: 20,
  phone: 50,
  email: 254,
  /** A time as people write it. */
  time: 50,
  url: 2_048,
  /** How a phone names what it did. */
  opId: 64,
  /** How an organisation names a reason for failing. */
  reasonCode: 40,
  /** What a scanner reads. */
  code: 500,
  /** By what an answer names its field, and the answer, in bytes. */
  fieldKey: 64,
  answer: 2_000,
  /** A typed answer: each of its characters takes up to three bytes. */
  typedAnswer: 660,
  /** An amount of money as people type it. */
  amount: 20,
  /** A setting that is text. */
  setting: 500,
  /** What is searched for. */
  search: 120,
  password: 200,
  /** The part of a link that lets people in, and the key of a device. */
  secret: 200,
  /** Where a list goes on. */
  cursor: 200,
  timezone: 64,
  country: 2,
  currency: 3,
} as const

/** How many days a report can span: a year. */
export const mostReportDays = 366
/** Of how many customers a report tells. */
export const mostReportCustomers = 100

/** The digits of the code with which a driver signs in. */
export const codeDigits = 6

/** The minimum length of a new password. */
export const shortestPassword = 10

/** The maximum number of items in a list in a body, or on a page. */
export const mostItems = 1_000
/** The maximum number of languages of one text. */
export const mostLanguages = 20
/** The maximum number of tasks in one file of proofs. */
export const mostProofs = 50
/** The maximum number of labels printed at once. */
export const mostLabels = 500
/** The maximum number of lines along streets in one answer. */
export const mostLines = 500
/** How often the customer of a task may add instructions: each is an event for every receiver. */
export const mostInstructions = 20
/** The maximum number of ops in one sync. */
export const mostOps = 500
/** How many codes that no task has are kept of one day; the others are only answered. */
export const mostUnknownScans = 5_000
/** How many days scans are kept; the timeline of a task keeps them longer. */
export const keptScanDays = 30
/** Of how many tasks a phone asks whether they were erased. */
export const mostHeld = 1_000
/** The maximum number of custom fields or dependencies of one task. */
export const mostOfATask = 100

/**
 * What one task can hold. Past it the office is refused (TASK_FULL), and what a driver brings along becomes a conflict.
 * Payments have no bound: their lines are read by themselves, and stand in no task and no event.
 */
export const taskHolds = {
  /** Notes of each kind. */
  notes: 300,
  photos: 300,
  signatures: 50,
  scans: 300,
  /** The texts of all of them together. */
  noteCharacters: 250_000,
  /** `mobileTaskForm`. */
  answerCharacters: 150_000,
  /** With this many, drivers add no more notes or answers, and what only says something is left out. */
  timelineEntries: 2_000,
} as const

/** How many tasks of a stop one photo or signature of a driver can serve: more than are left at a parcel shop in a day. */
export const mostTasksOfAPicture = 1_000

/** What is shown of a task at most: the newest. The bounds are lower, but tasks of an earlier version may have more. */
export const shownOfATask = { notes: 1_000, timelineEntries: 500, timelineBytes: 262_144 } as const

/**
 * How many characters of notes an event keeps: those it is about, then the newest. Without this bound n notes took n² bytes
 * (docs/decisions/0036).
 */
export const notesInAnEvent = { now: 32_768, previous: 8_192 } as const

/** A page of a list ends with the item that exceeds this, so a page has at least one. */
export const pageBytes = 8 * 1_048_576

/** The maximum number of organisations one agrees to be a partner of. */
export const mostPartners = 1_000

/** The maximum number of absences of a driver, past ones included. */
export const mostAbsences = 500

/** The maximum number of schedules, of templates and of own holidays of an organisation. */
export const mostSchedules = 500
export const mostTemplates = 200
export const mostHolidays = 1_000
/** How many days ahead tasks that repeat are made, and every how many days, weeks or months they can. */
export const mostDaysAhead = 60
export const mostInterval = 52
/** How often a schedule that counts happens, and how many of its days can be skipped. */
export const mostOccurrences = 1_000
export const mostSkips = 366
/** How many days the occurrences of a schedule are listed for at once. */
export const mostOccurrenceDays = 92

/** The maximum number of forms of an organisation, of fields of a form, and of choices of a field. */
export const mostForms = 100
export const mostFields = 50
export const mostChoices = 100

/** The maximum size of one JSON field in bytes. */
export const mostJson = 65_536

/** Prices and quantities. */
export const mostWhole = 2 ** 31 - 1
/** Minutes at a stop: a week. */
export const mostServiceMinutes = 10_080
export const mostLunchMinutes = 480

export const mostLatitude = 90
export const mostLongitude = 180

/** It must fit into a path, so no slash and no dot segments. Use it with the flag `u`. */
export const awbPattern = `^(?!\\.{1,2}$)(?!\\s*$)[^/\\p{C}\\p{Zl}\\p{Zp}]{1,${longest.awb}}$`

/** Pictures that can be uploaded. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export const mostPictureMegabytes = 10
