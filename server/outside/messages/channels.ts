import type { ChannelName } from '../../../core/messages/causes.ts'
import type { Outside } from '../fetch.ts'
import type { Channel } from './channel.ts'
import { createFileChannel } from './file.ts'

/** What the operator has set up. */
export interface MessageOptions {
  sms: { kind: 'file'; path: string } | undefined
  email: { kind: 'file'; path: string } | undefined
}

export interface Channels {
  sms: Channel | undefined
  email: Channel | undefined
  available: ChannelName[]
}

/** The ways this installation can send messages to customers. */
export function openChannels(_engines: Outside, { sms, email }: MessageOptions): Channels {
  const channels = {
    sms: sms && createFileChannel(sms.path),
    email: email && createFileChannel(email.path),
  }
  const available = (['sms', 'email'] as const).filter((name) => channels[name])
  return { ...channels, available }
}
