import type { ChannelName } from '../../../core/message-rules/causes.ts'
import type { GatewayTemplate } from '../../../core/message-rules/gateway.ts'
import type { Outside } from '../fetch.ts'
import type { Channel } from './channel.ts'
import { createFileChannel } from './file.ts'
import { createGateway } from './gateway.ts'
import { createSmtp, type SmtpOptions } from './smtp.ts'
import { createTwilio, type TwilioOptions } from './twilio.ts'

type ToFile = { kind: 'file'; path: string }

/** What the operator has set up. */
export interface MessageOptions {
  sms: ToFile | ({ kind: 'twilio' } & TwilioOptions) | { kind: 'gateway'; template: GatewayTemplate } | undefined
  email: ToFile | ({ kind: 'smtp' } & SmtpOptions) | undefined
}

export interface Channels {
  sms: Channel | undefined
  email: Channel | undefined
  available: ChannelName[]
}

/** The ways this installation can send messages to customers. The operator chose the addresses, so they may be private. */
export function openChannels(engines: Outside, { sms, email }: MessageOptions): Channels {
  const channels = { sms: sms && openSms(engines, sms), email: email && openEmail(email) }
  const available = (['sms', 'email'] as const).filter((name) => channels[name])
  return { ...channels, available }
}

function openSms(engines: Outside, options: NonNullable<MessageOptions['sms']>): Channel {
  if (options.kind === 'twilio') return createTwilio(engines, options)
  return options.kind === 'gateway' ? createGateway(engines, options.template) : createFileChannel(options.path)
}

const openEmail = (options: NonNullable<MessageOptions['email']>): Channel =>
  options.kind === 'smtp' ? createSmtp(options) : createFileChannel(options.path)
