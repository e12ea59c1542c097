import type { Static } from 'typebox'
import { causeNames, channels, messageReasons, messageStates } from '../core/message-rules/causes.ts'
import { placeholders } from '../core/message-rules/texts.ts'
import { languageCodes } from '../core/words/languages.ts'
import { longest, mostItems } from './limits.ts'
import { Awb, Id, Nullable, PageQuery, Text, Time, Words } from './schema.ts'
import { Type } from './type.ts'

const Optional = Type.Optional
const CauseName = Type.String({ enum: [...causeNames] })
const LanguageName = Type.String({ enum: languageCodes })
const Channel = Type.String({ enum: [...channels] })

const measured = {
  encoding: Type.String({ enum: ['GSM-7', 'UCS-2'], description: 'UCS-2 if a letter is outside the GSM alphabet' }),
  characters: Type.Integer(),
  segments: Type.Integer({ description: 'How many SMS it costs' }),
}

export const Message = Type.Object(
  {
    id: Id(),
    cause: Type.String({ enum: [...causeNames, 'test'] }),
    taskId: Nullable(Id('Null for a test message')),
    awb: Nullable(Type.String()),
    channel: Channel,
    to: Type.String({ description: 'A phone number or an email address; empty if there is none' }),
    language: LanguageName,
    subject: Type.String({ description: 'Empty for SMS' }),
    text: Type.String(),
    segments: Nullable(Type.Integer({ description: 'How many SMS it costs; null for emails' })),
    state: Type.String({
      enum: [...messageStates],
      description:
        '`waiting`; `sending`; `sent`: the provider took it; `failed`: refused for good; `unknown`: it may have been sent, and only a person sends it again; `skipped` and `dropped`: not sent, see `reason`',
    }),
    reason: Nullable(Type.String({ enum: Object.keys(messageReasons), description: 'Why it was skipped or dropped' })),
    error: Nullable(Type.String({ description: 'What the provider answered, if it was not accepted' })),
    attempts: Type.Integer(),
    occurredAt: Time('When what it tells happened'),
    createdAt: Time(),
    nextAttemptAt: Nullable(Time('When it is sent, if it waits')),
    endedAt: Nullable(Time('When it was sent or given up')),
    canRetry: Type.Boolean({ description: 'Whether it can be sent again by hand' }),
  },
  { title: 'Message' },
)
export type Message = Static<typeof Message>

export const MessageQuery = Type.Object({
  state: Optional(Text(200, { description: 'One or more states, separated by commas' })),
  cause: Optional(Type.String({ enum: [...causeNames, 'test'] })),
  channel: Optional(Channel),
  awb: Optional(Text(longest.awb)),
  taskId: Optional(Id()),
  to: Optional(Text(longest.email, { description: 'A phone number or email address, in full' })),
  q: Optional(
    Text(longest.search, {
      description:
        'Search in AWB, phone number or email address, subject and text. A page looks through 20,000 messages: it may have few or none and still a `nextCursor`',
    }),
  ),
  limit: Optional(Type.Integer({ minimum: 1, maximum: mostItems, description: 'Defaults to 100' })),
  cursor: PageQuery.properties.cursor,
})
export type MessageQuery = Static<typeof MessageQuery>

export const MessageText = Type.Object(
  {
    cause: CauseName,
    language: LanguageName,
    subject: Type.String({ description: 'For emails' }),
    text: Type.String(),
    pickup: Type.Object(
      { subject: Type.String(), text: Type.String() },
      { description: 'What is sent about a pickup instead: your own text, if there is one, is sent about both' },
    ),
    isStandard: Type.Boolean({ description: 'Whether it is the text that comes with Waybill' }),
    isOn: Type.Boolean({ description: 'Whether the setting of this cause is on' }),
    sms: Type.Object(measured, { description: 'The length of the text with typical values' }),
  },
  { title: 'MessageText' },
)
export type MessageText = Static<typeof MessageText>

const describedPlaceholders = Object.keys(placeholders).map((name) => `{${name}}`)
const TextWithPlaceholders = Words(longest.message)

export const MessageTextsInput = Type.Object(
  {
    texts: Type.Array(
      Type.Object({
        cause: CauseName,
        language: LanguageName,
        text: Nullable({
          ...TextWithPlaceholders,
          description: `Can contain ${describedPlaceholders.join(', ')}; null for the text that comes with Waybill`,
        } as typeof TextWithPlaceholders),
        subject: Optional(Nullable(Words(longest.name))),
      }),
      { maxItems: causeNames.length * languageCodes.length },
    ),
  },
  { title: 'MessageTextsInput' },
)
export type MessageTextsInput = Static<typeof MessageTextsInput>

const draft = {
  cause: CauseName,
  language: Optional(Type.String({ enum: languageCodes, description: 'Defaults to the language of messages' })),
  text: Optional(Type.String({ maxLength: longest.message, description: 'Defaults to the saved text' })),
  subject: Optional(Text(longest.name)),
  awb: Optional(Nullable(Awb)),
}

export const MessagePreviewInput = Type.Object(draft, { title: 'MessagePreviewInput' })
export type MessagePreviewInput = Static<typeof MessagePreviewInput>

export const MessagePreview = Type.Object(
  {
    subject: Type.String(),
    text: Type.String({ description: 'As an email' }),
    sms: Type.Object({ text: Type.String(), ...measured }),
  },
  { title: 'MessagePreview' },
)
export type MessagePreview = Static<typeof MessagePreview>

export const TestMessageInput = Type.Object(
  { ...draft, to: Text(longest.email, { minLength: 1, description: 'A phone number or an email address' }) },
  { title: 'TestMessageInput' },
)
export type TestMessageInput = Static<typeof TestMessageInput>
