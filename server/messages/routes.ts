import { Refusal } from '../../contract/errors.ts'
import { messageStates } from '../../core/message-rules/causes.ts'
import { decodeCursor, isId, pageOf } from '../http/answers/cursor.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { retryMessage, testMessage } from './actions.ts'
import { presentMessage } from './present.ts'
import { listMessages } from './queries.ts'
import { draftMessage, presentPreview, presentTexts, updateTexts } from './texts.ts'

const onAPage = 100

export const messageRoutes = {
  async listMessages({ db }, { organisation, query, ownUrl }) {
    const { limit = onAPage, cursor, state, ...filter } = query
    const beforeId = decodeCursor(cursor, Number.MAX_SAFE_INTEGER, isId)
    const wanted = { ...filter, states: readStates(state) }
    const rows = await listMessages(db, organisation.id, wanted, beforeId, limit + 1)
    const { page, ...more } = pageOf(rows, limit, ({ id }) => id)
    return { messages: page.map((row) => presentMessage(row, ownUrl)), ...more }
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
