import { Refusal, unknownInBody } from '../../contract/errors.ts'
import { fileIdIn, isFilePath } from '../../contract/file.ts'
import { mostItems, mostProofs } from '../../contract/limits.ts'
import type { ProofListQuery } from '../../contract/proof.ts'
import type { Db } from '../db/db.ts'
import { downloadOf } from '../files/download.ts'
import { findFile } from '../files/queries.ts'
import { pageByIdDown } from '../http/cursor.ts'
import { chooseLanguage, type Language } from '../http/language.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { getTracked } from '../tracking/tracked.ts'
import { createLink, openLink, presentLink, revokeLink } from './links.ts'
import { renderProofs } from './page.ts'
import { type Listed, proofFile } from './paper.ts'
import { findTaskIdsByAwb, listLinks } from './queries.ts'
import { readProofs } from './read.ts'
import { describeProof, type ProofSheet } from './sheet.ts'
import { sayIn } from './words.ts'

export const proofRoutes = {
  async getTaskProof(context, { organisation, params, query, headers }) {
    const language = languageOf(query, headers)
    const [source] = await readProofs(context.db, organisation, [params.taskId])
    if (!source) throw new Refusal('TASK_NOT_FOUND')
    const sheet = describeProof(source, organisation, language, 'sender')
    if (!sheet.isEnded) throw new Refusal('TASK_NOT_ENDED')
    return proofFile(context, organisation, language, [sheet], false)
  },

  async getProofs(context, { organisation, query, headers }) {
    const language = languageOf(query, headers)
    const wanted = await findWanted(context.db, organisation, query)
    const ids = wanted.flatMap(({ id }) => id ?? [])
    const sources = await readProofs(context.db, organisation, ids)
    const sheets = new Map(
      sources.map((source) => [source.task.id, describeProof(source, organisation, language, 'sender')]),
    )
    if (sheets.size === 0) throw unknownInBody('TASK_NOT_FOUND', query.awbs === undefined ? 'taskIds' : 'awbs')
    requireEnded([...sheets.values()])
    const missing = { text: sayIn(language)('notFound') }
    const listed = wanted.map(({ id, name }): Listed => sheets.get(id ?? 0) ?? { awb: name, mark: missing })
    return proofFile(context, organisation, language, listed, true)
  },

  async listProofLinks({ db }, { organisation, query }) {
    const { page, ...more } = await pageByIdDown({ limit: mostItems, ...query }, (...part) =>
      listLinks(db, organisation.id, query.awb, ...part),
    )
    return { proofLinks: page.map(presentLink), ...more }
  },

  async createProofLink(context, { organisation, body, ownUrl }) {
    return { proofLink: await createLink(context, organisation, body, ownUrl) }
  },

  async revokeProofLink(context, { organisation, params }) {
    await revokeLink(context, organisation, params.linkId)
    return {}
  },

  async showProofs(service, { params, headers }) {
    const { organisation, sources, expiresAt } = await openLink(service, params.secret)
    const language = chooseLanguage(headers['accept-language'])
    const sheets = sources.map((source) => describeProof(source, organisation, language, 'sender'))
    return renderProofs(organisation, sheets, `/p/${encodeURIComponent(params.secret)}`, language, expiresAt)
  },

  async getLinkedProofs(service, { params, query, headers }) {
    const { context, organisation, sources } = await openLink(service, params.secret)
    const language = languageOf(query, headers)
    const sheets = sources.map((source) => describeProof(source, organisation, language, 'sender'))
    requireEnded(sheets)
    return proofFile(context, organisation, language, sheets, sheets.length > 1)
  },

  async getTrackedProof(service, { params, query, headers }) {
    const { id, organisation, context } = await getTracked(service, params.uuid)
    const [source] = await readProofs(context.db, organisation, [id])
    if (!source) throw new Refusal('TASK_NOT_FOUND')
    const language = languageOf(query, headers)
    const sheet = describeProof(source, organisation, language, 'recipient')
    requireEnded([sheet])
    return proofFile(context, organisation, language, [sheet], false)
  },

  async getLinkedPicture(service, { params, query }) {
    const { context, organisation, sources } = await openLink(service, params.secret)
    const shown = sources.flatMap((source) => describeProof(source, organisation, 'en', 'sender').pictures)
    // The path of a file may also stand in an answer to a form, as text: it must be a picture of these tasks.
    const isShown = shown.some(({ fileId, stored }) => stored && fileId === params.fileId.toLowerCase())
    const isLogo = isFilePath(organisation.logo) && fileIdIn(organisation.logo) === params.fileId.toLowerCase()
    const file = isShown || isLogo ? await findFile(context.db, organisation.id, params.fileId) : undefined
    if (!file?.store_key) throw new Refusal('PROOF_LINK_NOT_FOUND')
    return downloadOf(context, file, query.size)
  },
} satisfies Partial<Handlers<Organisation>>

function requireEnded(sheets: ProofSheet[]) {
  if (!sheets.some(({ isEnded }) => isEnded))
    throw new Refusal('TASK_NOT_ENDED', { message: 'None of these tasks has ended yet' })
}

const languageOf = ({ language }: { language?: Language }, headers: Record<string, string | undefined>) =>
  language ?? chooseLanguage(headers['accept-language'])

/** The tasks a list names, each once; without an id if there is none. */
async function findWanted(db: Db, { id }: Organisation, { taskIds, awbs }: ProofListQuery) {
  if ((taskIds === undefined) === (awbs === undefined))
    throw new Refusal('VALIDATION_FAILED', { field: 'taskIds', message: 'Give either taskIds or awbs' })
  const names = [...new Set((taskIds ?? awbs ?? '').split(',').map((name) => name.trim()))].filter(Boolean)
  if (names.length > mostProofs)
    throw new Refusal('TOO_MANY_ITEMS', { field: 'awbs', message: `awbs can name at most ${mostProofs} tasks` })
  if (taskIds !== undefined) return names.map((name) => ({ id: Number(name), name: `#${name}` }))
  const found = new Map((await findTaskIdsByAwb(db, id, names)).map(({ id, awb }) => [awb, id]))
  return names.map((name) => ({ id: found.get(name), name }))
}
