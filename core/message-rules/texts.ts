import { fill } from '../words/say.ts'
import type { ChannelName } from './causes.ts'
import { isGsm, toGsm } from './sms.ts'

/** What a text can contain in braces, and what stands there when it is sent. */
export const placeholders = {
  company: 'The name of your organisation',
  customer: 'The name of the customer',
  awb: 'The reference of the task',
  driver: 'The first name of the driver',
  eta: 'When the driver is expected, such as 14:30; if unknown, “soon”',
  window: 'The time window of the task, such as 14:00-16:00',
  stops: 'How many stops the driver has before this one',
  reason: 'Why the task failed',
  link: 'The address of the tracking page',
} as const
export type Placeholder = keyof typeof placeholders

export interface MessageText {
  /** Only emails have one. */
  subject: string
  body: string
}

const inBraces = /\{([^{}]*)\}/g
const isPlaceholder = (name: string): name is Placeholder => Object.hasOwn(placeholders, name)

/** The first thing in braces that is not known; undefined if all are. */
export const findUnknownPlaceholder = (text: string): string | undefined =>
  [...text.matchAll(inBraces)].map(([, name = '']) => name).find((name) => !isPlaceholder(name))

export type Values = Record<Placeholder, string>

/**
 * Puts the values into a text. In an SMS they lose what only they bring in from outside the GSM alphabet: a name such as
 * Ștefan would double the price of the message. A text that has such letters itself keeps them all.
 */
export function fillText(text: string, values: Values, channel: ChannelName): string {
  const isShortened = channel === 'sms' && isGsm(text.replace(inBraces, ''))
  const giveValue = (name: Placeholder) => {
    // The link is filled in later, and only where the text has it: not in a name that somebody typed.
    const value = name === 'link' ? values.link : values[name].replaceAll('{', '(').replaceAll('}', ')')
    return isShortened ? toGsm(value) : value
  }
  const filled = fill(text, (name) => (isPlaceholder(name) ? giveValue(name) : undefined))
  // A value that is missing leaves two spaces behind.
  return filled.replace(/ {2,}/g, ' ').trim()
}

/** Whether a text says a time that is known: “soon” is none. */
export const tellsTime = (text: string, known: { eta: boolean; window: boolean }) =>
  (known.eta && text.includes('{eta}')) || (known.window && text.includes('{window}'))

/** Stands in a message that waits: our own address is certain only when it is sent. */
export const linkToCome = '{link}'
export const fillLink = (text: string, link: string) => text.replaceAll(linkToCome, () => link)

/** For a preview without a task; the company, the reason and the link are added. */
export const sampleValues = {
  customer: 'Maria Ionescu',
  awb: 'WB-1042',
  driver: 'Andrei',
  eta: '14:30',
  window: '14:00-16:00',
  stops: '2',
} as const satisfies Partial<Values>
