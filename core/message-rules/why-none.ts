import type { SettingName } from '../settings.ts'
import { areMessagesOn } from './causes.ts'

/** Why the log of messages is empty. */
export type WhyNone =
  /** There are some, but none that is looked for. */
  | 'notFound'
  /** The operator of the server has set up neither SMS nor emails. */
  | 'noChannel'
  /** The organisation has not turned on a single message. */
  | 'nothingOn'
  /** Everything is ready; nothing has happened that customers are told about. */
  | 'nothingYet'

interface Office {
  isFiltered: boolean
  channels: readonly string[]
  settings: Partial<Record<SettingName, unknown>>
}

/** Whoever turns a message on without a channel gets a log that says so for each; until then the channel comes first. */
export function whyNoMessages({ isFiltered, channels, settings }: Office): WhyNone {
  if (isFiltered) return 'notFound'
  if (channels.length === 0) return 'noChannel'
  return areMessagesOn(settings) ? 'nothingYet' : 'nothingOn'
}
