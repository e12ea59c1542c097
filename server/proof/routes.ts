import { Refusal, unknownInBody } from '../../contract/errors.ts'
import { mostItems, mostProofs } from '../../contract/limits.ts'
import type { ProofListQuery } from '../../contract/proof.ts'
import type { Language } from '../../core/words/languages.ts'
import { recordReading } from '../audit/exports.ts'
import type { Actor } from '../context.ts'
import type { Db } from '../db/db.ts'
import { downloadOf } from '../files/download.ts'
import { createSharedReads } from '../gather.ts'
import { pageByIdDown } from '../http/answers/cursor.ts'
import { acceptedLanguage } from '../http/requests/language.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { getTracked } from '../tracking/tracked.ts'
import { createLink, findLinkedFile, presentLink, readLink, revokeLink } from './links.ts'
import { renderProofs } from './page.ts'
import { type Listed, proofFile } from './paper.ts'
import { findTaskIdsByAwb, listLinks } from './queries.ts'
import { readProofs } from './read.ts'
import { describeProof, type ProofSheet } from './sheet.ts'
import { sayIn } from './words.ts'

/** A link has many readers. Those who come at the same time get what was read and written for all of them at once. */
const readTogether = createSharedReads()

export const proofRoutes = {
  async getTaskProof(context, { organisation, params, query, headers }) {
    const language = languageOf(query, headers)
    const [source] = await readProofs(context.db, organisation, [params.taskId])
    if (!source) throw new Refusal('TASK_NOT_FOUND')
    const sheet = describeProof(source, organisation, language, 'sender')
    if (!sheet.isEnded) throw new Refusal('TASK_NOT_ENDED')
    const file = await proofFile(context, organisation, language, [sheet], false, nameOf(context.actor))
    await recordReading(context, organisation.id, [{ kind: 'proof.exported', subjectId: params.taskId }])
    return file
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
    const file = await proofFile(context, organisation, language, listed, true, nameOf(context.actor))
    const exported = [...sheets.keys()].map((subjectId) => ({ kind: 'proof.exported', subjectId }) as const)
    await recordReading(context, organisation.id, exported)
    return file
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

  async showProofs(service, { params: { secret }, headers }) {
    const language = acceptedLanguage(headers['accept-language'])
    return readTogether(service, `page ${language} ${secret}`, async () => {
      const { organisation, sheets, expiresAt } = await readLink(service, secret, language)
      return renderProofs(organisation, sheets, `/p/${encodeURIComponent(secret)}`, language, expiresAt)
    })
  },

  async getLinkedProofs(service, { params: { secret }, query, headers }) {
    const language = languageOf(query, headers)
    return readTogether(service, `proofs ${language} ${secret}`, async () => {
      const { id, context, organisation, sheets } = await readLink(service, secret, language)
      requireEnded(sheets)
      return proofFile(context, organisation, language, sheets, sheets.length > 1, `link ${id}`)
    })
  },

  async getTrackedProof(service, { params: { uuid }, query, headers }) {
    const language = languageOf(query, headers)
    return readTogether(service, `proof ${language} ${uuid}`, async () => {
      const { id, organisation, context } = await getTracked(service, uuid)
      const [source] = await readProofs(context.db, organisation, [id])
      if (!source) throw new Refusal('TASK_NOT_FOUND')
      const sheet = describeProof(source, organisation, language, 'recipient')
      requireEnded([sheet])
      return proofFile(context, organisation, language, [sheet], false, `task ${id}`)
    })
  },

  async getLinkedPicture(service, { params, query }) {
    const file = await findLinkedFile(service, params.secret, params.fileId.toLowerCase())
    if (!file) throw new Refusal('PROOF_LINK_NOT_FOUND')
    return downloadOf(service, file, query.size)
  },
} satisfies Partial<Handlers<Organisation>>

const nameOf = ({ type, id }: Actor) => `${type} ${id}`

function requireEnded(sheets: ProofSheet[]) {
  if (!sheets.some(({ isEnded }) => isEnded))
    throw new Refusal('TASK_NOT_ENDED', { message: 'None of these tasks has ended yet' })
}

const languageOf = ({ language }: { language?: Language }, headers: Record<string, string | undefined>) =>
  language ?? acceptedLanguage(headers['accept-language'])

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
