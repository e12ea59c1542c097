import { Refusal, unknownInBody } from '../../contract/errors.ts'
import type { LabelsInput } from '../../contract/label.ts'
import { mostLabels } from '../../contract/limits.ts'
import { recordReading } from '../audit/exports.ts'
import type { Context } from '../context.ts'
import type { Download } from '../http/answers/download.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { findTaskIdsByAwb } from '../proof/queries.ts'
import { readLabels } from './label.ts'
import { labelsFile } from './labels-file.ts'
import { manifestFile } from './manifest-file.ts'
import { languageOf } from './words.ts'

export const printingRoutes = {
  async getLabels(context, { organisation, query }) {
    const awbs = query.awbs
      .split(',')
      .map((awb) => awb.trim())
      .filter(Boolean)
    if (awbs.length === 0) throw new Refusal('VALIDATION_FAILED', { field: 'awbs', message: 'awbs must name a task' })
    if (awbs.length > mostLabels)
      throw new Refusal('TOO_MANY_ITEMS', { field: 'awbs', message: `awbs can name at most ${mostLabels} tasks` })
    return printLabels(context, organisation, { ...query, awbs })
  },

  printLabels: (context, { organisation, body }) => printLabels(context, organisation, body),

  getManifest: (context, { organisation, params, query }) =>
    manifestFile(context, organisation, params.driverId, query),
} satisfies Partial<Handlers<Organisation>>

async function printLabels(
  context: Context,
  organisation: Organisation,
  { awbs, format = 'pdf-a6', language: wanted }: LabelsInput,
): Promise<Download> {
  const language = languageOf(organisation, wanted)
  const found = await findTaskIdsByAwb(context.db, organisation.id, [...new Set(awbs)])
  const ids = new Map(found.map(({ id, awb }) => [awb, id]))
  const unknown = awbs.find((awb) => !ids.has(awb))
  if (unknown !== undefined) throw unknownInBody('TASK_NOT_FOUND', 'awbs', `There is no task ${unknown}`)
  const taskIds = awbs.flatMap((awb) => ids.get(awb) ?? [])
  const labels = await readLabels(context.db, organisation, taskIds, language)
  const printed = [...ids.values()].map((subjectId) => ({ kind: 'label.printed', subjectId }) as const)
  await recordReading(context, organisation.id, printed)
  return labelsFile(context, organisation, language, labels, format)
}
