import { channels } from '../../core/message-rules/causes.ts'
import {
  Message,
  MessagePreview,
  MessagePreviewInput,
  MessageQuery,
  MessageText,
  MessageTextsInput,
  TestMessageInput,
} from '../message.ts'
import { Id, reply } from '../schema.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

const texts = {
  messageTexts: Type.Array(MessageText),
  channels: Type.Array(Type.String({ enum: [...channels] }), { description: 'What this server can send' }),
}

export const messageOperations = {
  listMessages: {
    method: 'GET',
    path: '/api/v1/messages',
    tag: 'Messages',
    summary: 'List messages to customers, newest first',
    scope: 'messages:read',
    query: MessageQuery,
    reply: reply({ messages: Type.Array(Message), nextCursor: NextCursor }),
    refuses: [],
  },
  retryMessage: {
    method: 'POST',
    path: '/api/v1/messages/:messageId/retry',
    tag: 'Messages',
    summary: 'Send a message again that was not sent, or may not have been',
    scope: 'messages:write',
    params: Type.Object({ messageId: Id() }),
    reply: reply({ message: Message }),
    missing: 'MESSAGE_NOT_FOUND',
    changes: ['messages'],
    refuses: ['MESSAGE_NOT_RETRYABLE'],
  },
  listMessageTexts: {
    method: 'GET',
    path: '/api/v1/messageTexts',
    tag: 'Messages',
    summary: 'List the texts of messages, for every cause and language',
    scope: 'company:read',
    reply: reply(texts),
    refuses: [],
  },
  updateMessageTexts: {
    method: 'PUT',
    path: '/api/v1/messageTexts',
    tag: 'Messages',
    summary: 'Change the given texts, keep the rest',
    scope: 'company:write',
    body: MessageTextsInput,
    reply: reply(texts),
    changes: ['messages'],
    refuses: ['UNKNOWN_PLACEHOLDER'],
  },
  previewMessage: {
    method: 'POST',
    path: '/api/v1/messageTexts/preview',
    tag: 'Messages',
    summary: 'Show a message as a customer would get it, and what it costs as SMS',
    scope: 'company:read',
    body: MessagePreviewInput,
    reply: reply({ preview: MessagePreview }),
    refuses: ['UNKNOWN_PLACEHOLDER', 'TASK_NOT_FOUND'],
  },
  testMessage: {
    method: 'POST',
    path: '/api/v1/messageTexts/test',
    tag: 'Messages',
    summary: 'Send a message now, to an address of your own, and return what became of it',
    scope: 'company:write',
    body: TestMessageInput,
    reply: reply({ message: Message }),
    changes: ['messages'],
    refuses: ['UNKNOWN_PLACEHOLDER', 'TASK_NOT_FOUND', 'INVALID_PHONE', 'MESSAGE_NO_CHANNEL', 'MESSAGE_LIMIT'],
  },
} as const satisfies Record<string, Operation>
