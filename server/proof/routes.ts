import { Refusal } from '../../contract/errors.ts'
import { mostProofs } from '../../contract/limits.ts'
import type { ProofListQuery } from '../../contract/proof.ts'
import type { Db } from '../db/db.ts'
import { chooseLanguage, type Language } from '../http/language.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { type Listed, proofFile } from './paper.ts'
import { findTaskIdsByAwb } from './queries.ts'
import { readProofs } from './read.ts'
import { describeProof } from './sheet.ts'
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
    if (!sheets.values().some(({ isEnded }) => isEnded))
      throw new Refusal('TASK_NOT_ENDED', { message: 'None of these tasks has ended yet' })
    const missing = { text: sayIn(language)('notFound') }
    const listed = wanted.map(({ id, name }): Listed => sheets.get(id ?? 0) ?? { awb: name, mark: missing })
    return proofFile(context, organisation, language, listed, true)
  },
} satisfies Partial<Handlers<Organisation>>

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
