import { Refusal } from '../../contract/errors.ts'
import { messageStates } from '../../core/message-rules/causes.ts'
import { containing } from '../db/sql.ts'
import { decodeCursor, encodeCursor, isId, pageOf } from '../http/answers/cursor.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { retryMessage, testMessage } from './actions.ts'
import { presentMessage } from './present.ts'
import { findMessageAfter, listMessages } from './queries.ts'
import { draftMessage, presentPreview, presentTexts, updateTexts } from './texts.ts'

const onAPage = 100
/** A search walks along the ids: an index for any part of any text would cost every message that is sent. */
const searchedAtOnce = 20_000

/** What is looked for in texts, and in phone numbers however they are typed: 0722 000 111 is stored as +40722000111. */
function patternsOf(text: string) {
  const isNumber = /^[+\d][\d\s()./-]{3,}$/.test(text)
  return { words: containing(text), number: isNumber ? containing(text.replace(/\D/g, '').replace(/^0+/, '')) : null }
}

export const messageRoutes = {
  async listMessages({ db }, { organisation, query, ownUrl }) {
    const { limit = onAPage, cursor, state, q, ...filter } = query
    const beforeId = decodeCursor(cursor, Number.MAX_SAFE_INTEGER, isId)
    const text = q?.trim()
    const end = text ? await findMessageAfter(db, organisation.id, beforeId, searchedAtOnce) : undefined
    const search = text ? { ...patternsOf(text), afterId: end?.id ?? 0 } : undefined
    const wanted = { ...filter, states: readStates(state), search }
    const rows = await listMessages(db, organisation.id, wanted, beforeId, limit + 1)
    const { page, ...more } = pageOf(rows, limit, ({ id }) => id)
    const further = end && { nextCursor: encodeCursor(end.id + 1) }
    return { messages: page.map((row) => presentMessage(row, ownUrl)), ...further, ...more }
  },

  async retryMessage(context, { organisation, params, ownUrl }) {
    return { message: presentMessage(await retryMessage(context, organisation, params.messageId), ownUrl) }
  },

  async listMessageTexts({ db, messages }, { organisation, ownUrl }) {
    return { messageTexts: await presentTexts(db, organisation, ownUrl), channels: messages.available }
  },

  async updateMessageTexts(context, { organisation, body, ownUrl }) {
    await updateTexts(context, organisation, body)
    return { messageTexts: await presentTexts(context.db, organisation, ownUrl), channels: context.messages.available }
  },

  async previewMessage(context, { organisation, body, ownUrl }) {
    return { preview: presentPreview(await draftMessage(context, organisation, body, ownUrl)) }
  },

  async testMessage(context, { organisation, body, ownUrl }) {
    return { message: presentMessage(await testMessage(context, organisation, body, ownUrl), ownUrl) }
  },
} satisfies Partial<Handlers<Organisation>>

function readStates(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  const states = text.split(',').map((one) => one.trim())
  if (states.every((one) => messageStates.some((state) => state === one))) return states
  throw new Refusal('VALIDATION_FAILED', {
    field: 'state',
    message: `state must be one or more of ${messageStates.join(', ')}`,
  })
}
