import type { SettingName } from '../settings.ts'
import { isLanguage, type Language, languageOfCountry } from '../words/languages.ts'

interface CauseRule {
  /** The setting that turns it on. */
  setting: SettingName
  /** Old news is not sent: how long after it happened a message may still go out. */
  maxAgeMinutes: number
  /** It tells when the driver comes, if its text says so and that is known. */
  tellsArrival?: true
}

/** What customers are told, and when. Nothing is sent until an admin turns a cause on. */
export const causes = {
  onItsWay: { setting: 'messageOnItsWay', maxAgeMinutes: 60, tellsArrival: true },
  nextStop: { setting: 'messageNextStop', maxAgeMinutes: 30, tellsArrival: true },
  arrived: { setting: 'messageArrived', maxAgeMinutes: 15 },
  delivered: { setting: 'messageDelivered', maxAgeMinutes: 12 * 60 },
  failed: { setting: 'messageFailed', maxAgeMinutes: 12 * 60 },
  windowChanged: { setting: 'messageWindowChanged', maxAgeMinutes: 12 * 60, tellsArrival: true },
} as const satisfies Record<string, CauseRule>

export type Cause = keyof typeof causes
export const causeNames = Object.keys(causes) as Cause[]

/** Whether an organisation sends any messages. */
export const areMessagesOn = (settings: Partial<Record<SettingName, unknown>>) =>
  causeNames.some((cause) => settings[causes[cause].setting] === true)

export const channels = ['sms', 'email'] as const
export type ChannelName = (typeof channels)[number]

/**
 * `sending`: handed over, and no answer yet. `unknown`: it may have arrived, so only a person sends it again.
 * `failed`: refused for good. `skipped`: it could not be sent. `dropped`: it could have been, but was no longer wanted.
 */
export const messageStates = ['waiting', 'sending', 'sent', 'failed', 'unknown', 'skipped', 'dropped'] as const
export type MessageState = (typeof messageStates)[number]

/** Why a message was skipped or dropped. */
export const messageReasons = {
  noRecipient: 'The customer has neither a phone number nor an email address',
  invalidPhone: 'The phone number is not valid',
  invalidEmail: 'The email address is not valid',
  notMobile: 'The phone number cannot get SMS',
  noChannel: 'This server is not set up to send this kind of message',
  optedOut: 'The customer does not want messages',
  taskLimit: 'The task has had as many messages as the settings allow',
  dayLimit: 'As many messages as the settings allow were sent today',
  tooOld: 'It could not be sent in time and is old news',
  outdated: 'The task has changed since',
  turnedOff: 'Messages for this cause were turned off',
  erased: 'The customer’s data was erased before it was sent',
  restored: 'It waited when the backup was made that was restored',
} as const
export type MessageReason = keyof typeof messageReasons

/** What a person may send again: a message that reached nobody, or may not have. */
export const isRetryable = (state: MessageState) => !['waiting', 'sending', 'sent'].includes(state)

/** Customers have no language of their own: the organisation chooses, or its country does. */
export function languageOf(setting: string, country: string): Language {
  return isLanguage(setting) ? setting : languageOfCountry(country)
}
